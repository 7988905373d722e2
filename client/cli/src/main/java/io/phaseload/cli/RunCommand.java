package io.phaseload.cli;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.engine.RunListener;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.result.Environment;
import io.phaseload.result.IntervalFiles;
import io.phaseload.result.Result;
import io.phaseload.result.ResultFolder;
import io.phaseload.result.ResultJson;
import io.phaseload.result.TextReport;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** {@code phaseload run}: from options to an exit code. */
final class RunCommand {

    /** Stands for the address of a target that isn't started before everything else is checked. */
    private static final URI NOT_STARTED_YET = URI.create("http://127.0.0.1/");

    private final PrintStream out;
    private final PrintStream err;

    RunCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    int run(String... arguments) {
        RunOptions options = new RunOptions();
        RunPlan wanted = new RunPlan(options);
        Optional<URI> url;
        Plan plan;
        ResultFolder folder;
        try {
            new OptionParser(options).parse(arguments);
            if (options.help) {
                out.print(RunOptions.HELP);
                return ExitCode.PASSED;
            }
            if (options.version) {
                out.println("phaseload " + Environment.currentVersion());
                return ExitCode.PASSED;
            }
            url = wanted.url();
            plan = wanted.against(url.orElse(NOT_STARTED_YET));
            folder = folder(options.out, plan.name());
        } catch (UsageException e) {
            err.println(e.getMessage());
            return ExitCode.USAGE;
        }
        if (url.isPresent()) {
            return execute(options, plan, folder, UnaryOperator.identity());
        }
        try (TargetServer target = TargetServer.start(ServerSettings.builder().port(0).build())) {
            plan = wanted.against(target.url());
            String description = "Tomcat at " + target.url() + " in the client's own JVM";
            return execute(
                    options,
                    plan,
                    folder,
                    result ->
                            result.withTarget(
                                    new Result.TargetCount(description, target.requestsServed())));
        } catch (IOException | UsageException e) {
            err.println("--target tomcat: couldn't be started: " + e.getMessage());
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private static ResultFolder folder(String out, String name) throws UsageException {
        Path path =
                Checked.value("--out", out == null ? "results" : out, Path::of, "a folder's name");
        try {
            return out == null
                    ? ResultFolder.create(path, Instant.now(), name)
                    : ResultFolder.at(path);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException("--out " + path + ": expected a folder that is new or empty");
        } catch (IOException e) {
            throw new UsageException(
                    "--out " + path + ": expected a folder that can be written to: " + e);
        }
    }

    /** Signals are caught until the results are written: the echo of one mustn't lose them. */
    private int execute(
            RunOptions options, Plan plan, ResultFolder folder, UnaryOperator<Result> completed) {
        try (IntervalFiles intervals = folder.begin(plan);
                ThreadsLoadClient client =
                        ThreadsLoadClient.of(
                                plan, new Listeners(List.of(listener(options), intervals)));
                Interruption interruption = new Interruption(client::close)) {
            Result result = completed.apply(client.run());
            int code = finish(options, folder, result);
            return intervals.complete() ? code : incomplete(folder);
        } catch (IOException e) {
            err.println("The results can't be written to " + folder.path() + ": " + e);
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private int incomplete(ResultFolder folder) {
        err.println("Not all intervals could be written to " + folder.path() + ".");
        return ExitCode.INTERNAL_ERROR;
    }

    private RunListener listener(RunOptions options) {
        if (options.quiet) {
            return RunListener.NONE;
        }
        // Of standard error nobody knows whether it is a terminal.
        return options.json
                ? new ProgressPrinter(err, false)
                : new ProgressPrinter(out, Terminal.isLive());
    }

    /** Prints first: what was measured mustn't be lost to a full disk. */
    private int finish(RunOptions options, ResultFolder folder, Result result) {
        PrintStream text = options.json ? err : out;
        text.print(TextReport.summary(result));
        if (options.json) {
            // JSON is UTF-8, whatever the terminal's encoding.
            out.writeBytes(ResultJson.write(result).getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
        if (result.fault() != null) {
            err.println("phaseload: internal error: " + result.fault());
        }
        try {
            folder.write(result);
            text.println("Results: " + folder.path());
        } catch (IOException e) {
            err.println("The results couldn't be written to " + folder.path() + ": " + e);
            return ExitCode.INTERNAL_ERROR;
        }
        return ExitCode.of(result);
    }
}
