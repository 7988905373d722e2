package io.phaseload.cli.terminal;

import io.phaseload.report.notation.TextTable;
import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a stream is a terminal, and how wide that is. */
public final class Terminal {

    /** Standard input. */
    static final int IN = 0;

    /** Standard output. */
    static final int OUT = 1;

    /** Standard error. */
    static final int ERR = 2;

    /** From this width on tables aren't folded: a run's tables are hardly ever wider. */
    private static final int WIDE_COLUMNS = 110;

    private static final int FEWEST_COLUMNS = 40;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) ([1-9]\\d{0,4})\\s*");

    // Its settings, while they are changed.
    private static Optional<String> before = Optional.empty();

    private Terminal() {}

    /** The width of tables on standard output. */
    public static int columns() {
        if (!isTerminal(OUT)) {
            return TextTable.WIDE;
        }
        int columns = width();
        return columns >= WIDE_COLUMNS ? TextTable.WIDE : Math.max(FEWEST_COLUMNS, columns);
    }

    /** The width of the terminal; 80 where it is unknown. */
    public static int width() {
        return size().columns();
    }

    /** The size of the terminal. */
    static TerminalSize size() {
        return stty("size")
                .map(SIZE::matcher)
                .filter(Matcher::matches)
                .map(size -> TerminalSize.of(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2))))
                .orElse(TerminalSize.USUAL);
    }

    /**
     * The terminal passes on each key at once, without showing it, until {@link #restore} or the end of the JVM.
     *
     * @return {@code false} if it can't
     */
    static synchronized boolean raw() {
        before = stty("-g").map(String::strip);
        if (before.isEmpty() || stty("-icanon", "-echo", "min", "1").isEmpty()) {
            return false;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(Terminal::restore));
        return true;
    }

    /** Gives the terminal its settings back; needed before the JVM is halted. */
    public static synchronized void restore() {
        before.ifPresent(Terminal::stty);
        before = Optional.empty();
    }

    private static Optional<String> stty(String... arguments) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        try {
            Process stty = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String out = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return stty.waitFor(1, TimeUnit.SECONDS) && stty.exitValue() == 0 ? Optional.of(out) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** The character that bars are made of: a block if standard output's encoding has one. */
    public static char block() {
        String encoding = System.getProperty("stdout.encoding", System.getProperty("native.encoding"));
        try {
            return Charset.forName(encoding).newEncoder().canEncode('█') ? '█' : '#';
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            return '#';
        }
    }

    /**
     * Whether a stream is a terminal.
     *
     * @param stream {@link #OUT} or {@link #ERR}
     */
    static boolean isTerminal(int stream) {
        // The JVM has a console if standard input and output are terminals.
        return device(stream)
                .map(device -> device.startsWith("/dev/pts/") || device.matches("/dev/(tty|console).*"))
                .orElseGet(() -> stream == OUT && hasConsole());
    }

    /** Whether standard output goes to another process, which may read keys itself, as less(1) does. */
    static boolean isPiped() {
        return device(OUT).filter(device -> device.startsWith("pipe:")).isPresent();
    }

    private static Optional<String> device(int stream) {
        try {
            return Optional.of(
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString());
        } catch (IOException | UnsupportedOperationException notLinux) {
            return Optional.empty();
        }
    }

    private static boolean hasConsole() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            // From JDK 22 on there can be a console without a terminal.
            Method isTerminal = Console.class.getMethod("isTerminal");
            return (boolean) isTerminal.invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
