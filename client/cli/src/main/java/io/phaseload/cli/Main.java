package io.phaseload.cli;

import io.phaseload.cli.cluster.AgentCommand;
import io.phaseload.cli.cluster.ClockCommand;
import io.phaseload.cli.cluster.ServeCommand;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.foreign.ForeignOptions;
import io.phaseload.cli.run.DoctorCommand;
import io.phaseload.cli.run.PlanCommand;
import io.phaseload.cli.run.RunCommand;
import io.phaseload.cli.stored.CompareCommand;
import io.phaseload.cli.stored.DescribeCommand;
import io.phaseload.cli.stored.ExplainCommand;
import io.phaseload.cli.stored.MergeCommand;
import io.phaseload.cli.stored.ReportCommand;
import io.phaseload.cli.sweep.SweepCommand;
import io.phaseload.cli.sweep.SweepOptions;
import io.phaseload.options.EditDistance;
import io.phaseload.options.NearMisses;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.result.Environment;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the command and ends the JVM with its exit code. */
public final class Main {

    private static final String HELP =
            """
            Phaseload: a phased, multithreaded HTTP load client

            Usage: phaseload [command] [options]
                   phaseload http://host/ [options of run]

              run      run phases of load against a target (the default command)
              plan     print what a run would do, as a file for --plan, without running it
              doctor   check before a run whether machine and target suit it
              sweep    run a grid of loads and parameters, in trials, with error bars
              describe summarize a sweep's trials by any label
              report   report on a run, or on part of it, from its folder
              merge    combine runs of the same requests into one result
              agent    run a part of the load that run --agents asks for
              clock    compare the clocks of agents
              compare  show what changed between runs, with error bars
              explain  say how a finding of a report is concluded
              serve    run the Tomcat target in the foreground

            phaseload help <command> lists a command's options; phaseload -V prints the
            version.
            """;

    private Main() {}

    /**
     * Runs a command. Ends the JVM only for an exit code other than 0, so that {@code mvn exec:java} can finish by
     * itself.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        Thread.setDefaultUncaughtExceptionHandler(new OutOfMemory(System.err));
        watchNoBuffers();
        int code;
        try {
            String[] typed = TypedArguments.of(arguments, Path.of("/proc/self/cmdline"));
            warnings().forEach(System.err::println);
            code = run(typed, System.out, System.err);
        } catch (UsageException e) {
            System.err.println(e.getMessage());
            code = ExitCode.USAGE;
        }
        if (code != ExitCode.PASSED) {
            System.exit(code);
        }
    }

    /**
     * Unless it was asked for, Netty's search for lost buffers is left out: it takes a stack trace of one buffer in
     * 128.
     */
    private static void watchNoBuffers() {
        if (System.getProperty("io.netty.leakDetectionLevel") == null) {
            System.getProperties().putIfAbsent("io.netty.leakDetection.level", "disabled");
        }
    }

    private static List<String> warnings() {
        // All options of run but --doctor are options of sweep.
        return NearMisses.lines(
                new OptionParser(new SweepOptions()).names(),
                System.getProperties().stringPropertyNames(),
                System.getenv().keySet());
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        int code = command(arguments, out, err);
        if (code == ExitCode.PASSED && out.checkError() && !(out == System.out && isPipe())) {
            // A print stream doesn't say why.
            err.println("phaseload: not all of standard output could be written");
            return ExitCode.INTERNAL_ERROR;
        }
        return code;
    }

    /** A reader such as head(1) may stop when it has read enough: that is no failure. */
    private static boolean isPipe() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** A command. */
    private interface Command {
        int run(PrintStream out, PrintStream err, String... options);
    }

    private static Map<String, Command> commands() {
        Map<String, Command> commands = new LinkedHashMap<>();
        commands.put("run", (out, err, options) -> new RunCommand(out, err).run(options));
        commands.put("plan", (out, err, options) -> new PlanCommand(out).run(options));
        commands.put("doctor", (out, err, options) -> new DoctorCommand(out, err).run(options));
        commands.put("sweep", (out, err, options) -> new SweepCommand(out, err).run(options));
        commands.put("describe", (out, err, options) -> new DescribeCommand(out).run(options));
        commands.put("report", (out, err, options) -> new ReportCommand(out, err).run(options));
        commands.put("merge", (out, err, options) -> new MergeCommand(out, err).run(options));
        commands.put("compare", (out, err, options) -> new CompareCommand(out, err).run(options));
        commands.put("explain", (out, err, options) -> new ExplainCommand(out).run(options));
        commands.put("agent", (out, err, options) -> new AgentCommand(System.in, out, err).run(options));
        commands.put("clock", (out, err, options) -> new ClockCommand(out, err).run(options));
        commands.put("serve", (out, err, options) -> new ServeCommand(out, err).run(options));
        commands.put("help", (out, err, options) -> help(out, err, options));
        commands.put("version", (out, err, options) -> version(out));
        return commands;
    }

    private static int command(String[] arguments, PrintStream out, PrintStream err) {
        boolean named =
                arguments.length > 0 && !arguments[0].startsWith("-") && !ForeignOptions.isAddress(arguments[0]);
        String[] options = named ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments;
        try {
            return named ? find(arguments[0]).run(out, err, options) : new RunCommand(out, err).runBare(options);
        } catch (UsageException e) {
            err.println(e.getMessage());
            return ExitCode.USAGE;
        } catch (RuntimeException e) {
            err.println("phaseload: internal error: " + e);
            e.printStackTrace(err);
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private static Command find(String name) {
        Map<String, Command> commands = commands();
        Command command = commands.get(name);
        if (command != null) {
            return command;
        }
        ForeignOptions.checkCommand(name);
        Optional<String> meant = ForeignOptions.addressOf(name).or(() -> EditDistance.nearest(name, commands.keySet()));
        throw new UsageException(name
                + ": no such command, "
                + meant.map(other -> "did you mean " + other + "?")
                        .orElse("expected " + String.join(", ", commands.keySet())));
    }

    private static int help(PrintStream out, PrintStream err, String... options) {
        if (options.length > 0 && !options[0].startsWith("-") && !options[0].equals("help")) {
            return find(options[0]).run(out, err, "--help");
        }
        out.print(HELP);
        return ExitCode.PASSED;
    }

    private static int version(PrintStream out) {
        out.println("phaseload " + Environment.currentVersion());
        return ExitCode.PASSED;
    }
}
