package io.phaseload.cli;

import io.phaseload.cli.command.CliCommand;
import io.phaseload.cli.command.CommandHelp;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.GeneralOptions.Color;
import io.phaseload.cli.command.Version;
import io.phaseload.cli.foreign.ForeignOptions;
import io.phaseload.cli.run.RunCommand;
import io.phaseload.options.EditDistance;
import io.phaseload.options.NearMisses;
import io.phaseload.options.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the command and ends the JVM with its exit code. */
public final class Main {

    private static final Set<String> HELP = Set.of("help", "--help", "-h");

    private static final Set<String> VERSION = Set.of("version", "--version", "-V");

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
        return NearMisses.lines(
                () -> Arrays.stream(Command.values())
                        .flatMap(command -> command.help().every())
                        .toList(),
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

    private static int command(String[] arguments, PrintStream out, PrintStream err) {
        Console console = new Console(System.in, out, err, Color.AUTO);
        String first = arguments.length == 0 ? "" : arguments[0];
        String[] rest = arguments.length == 0 ? arguments : Arrays.copyOfRange(arguments, 1, arguments.length);
        try {
            if (arguments.length == 1 && VERSION.contains(first)) {
                // Without options, which take time to load.
                out.print(Version.text(false));
                return ExitCode.PASSED;
            }
            if (first.equals("version")) {
                return Command.RUN.run(console, with("--version", rest));
            }
            if (first.equals("help") || arguments.length == 1 && HELP.contains(first)) {
                return help(console, rest);
            }
            boolean named = arguments.length > 0 && !first.startsWith("-") && !ForeignOptions.isAddress(first);
            return named
                    ? find(first).run(console, rest)
                    : new CliCommand("run", RunCommand.ofBareLine()).run(console, arguments);
        } catch (UsageException e) {
            err.println(e.getMessage());
            return ExitCode.USAGE;
        } catch (RuntimeException e) {
            err.println("phaseload: internal error: " + e);
            e.printStackTrace(err);
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private static String[] with(String first, String... rest) {
        return Stream.concat(Stream.of(first), Stream.of(rest)).toArray(String[]::new);
    }

    private static Command find(String name) {
        Optional<Command> command = Command.named(name);
        if (command.isPresent()) {
            return command.get();
        }
        ForeignOptions.checkCommand(name);
        List<String> names = Stream.concat(
                        Arrays.stream(Command.values()).map(Command::toString), Stream.of("help", "version"))
                .toList();
        Optional<String> meant = ForeignOptions.addressOf(name).or(() -> EditDistance.nearest(name, names));
        throw new UsageException(name
                + ": no such command, "
                + meant.map(other -> "did you mean " + other + "?").orElse("expected " + String.join(", ", names)));
    }

    private static int help(Console console, String... words) {
        if (words.length > 0 && !HELP.contains(words[0])) {
            String[] rest = Arrays.copyOfRange(words, 1, words.length);
            return find(words[0]).run(console, with("--help", rest));
        }
        CommandHelp help = CommandHelp.of("phaseload");
        PrintStream out = console.out();
        out.print(help.about() + "\n\n");
        for (Command command : Command.values()) {
            out.printf("  %-10s %s%n", command, command.summary());
        }
        out.print("\n" + help.end() + "\n");
        return ExitCode.PASSED;
    }
}
