package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.result.Environment;
import io.phaseload.server.ServerMain;
import java.io.PrintStream;
import java.util.Arrays;

/** Finds the command and ends the JVM with its exit code. */
public final class Main {

    private static final String HELP =
            """
            Phaseload: a phased, multithreaded HTTP load client

            Usage: phaseload [command] [options]

              run      run phases of load against a target (the default command)
              plan     print what a run would do, as a file for --plan, without running it
              sweep    run a grid of loads and parameters, each several times, with error bars
              describe sum up a sweep's trials by any label
              report   make the report of a run anew, or of a part of it, from its results folder
              merge    add runs of the same requests to one result
              compare  tell what changed between runs, with error bars
              serve    serve the Tomcat target in the foreground

            phaseload <command> --help lists a command's options; phaseload --version says which it is.
            """;

    private Main() {}

    /**
     * Runs a command. The JVM is ended only for an exit code other than 0, so that {@code mvn
     * exec:java} comes to its own end.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        int code = run(arguments, System.out, System.err);
        if (code != ExitCode.PASSED) {
            System.exit(code);
        }
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        int code = command(arguments, out, err);
        if (code == ExitCode.PASSED && out.checkError()) {
            // A print stream doesn't say why.
            err.println("phaseload: not all of standard output could be written");
            return ExitCode.INTERNAL_ERROR;
        }
        return code;
    }

    private static int command(String[] arguments, PrintStream out, PrintStream err) {
        boolean named = arguments.length > 0 && !arguments[0].startsWith("-");
        String command = named ? arguments[0] : "run";
        String[] options = named ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments;
        try {
            switch (command) {
                case "run":
                    return new RunCommand(out, err).run(options);
                case "plan":
                    return new PlanCommand(out).run(options);
                case "sweep":
                    return new SweepCommand(out, err).run(options);
                case "describe":
                    return new DescribeCommand(out).run(options);
                case "report":
                    return new ReportCommand(out, err).run(options);
                case "merge":
                    return new MergeCommand(out, err).run(options);
                case "compare":
                    return new CompareCommand(out, err).run(options);
                case "serve":
                    return ServerMain.run(options, out, err);
                case "help":
                    out.print(HELP);
                    return ExitCode.PASSED;
                case "version":
                    out.println("phaseload " + Environment.currentVersion());
                    return ExitCode.PASSED;
                default:
                    throw new UsageException(
                            command
                                    + ": no such command, expected run, plan, sweep, describe,"
                                    + " report, merge, compare or serve");
            }
        } catch (UsageException e) {
            err.println(e.getMessage());
            return ExitCode.USAGE;
        } catch (RuntimeException e) {
            err.println("phaseload: internal error: " + e);
            e.printStackTrace(err);
            return ExitCode.INTERNAL_ERROR;
        }
    }
}
