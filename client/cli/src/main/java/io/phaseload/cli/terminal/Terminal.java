package io.phaseload.cli.terminal;

import io.phaseload.report.text.TextTable;
import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a stream is a terminal, and how wide that is. */
public final class Terminal {

    /** Standard output. */
    static final int OUT = 1;

    /** Standard error. */
    static final int ERR = 2;

    /** From this width on tables aren't folded: a run's tables are hardly ever wider. */
    private static final int WIDE_COLUMNS = 110;

    private static final int FEWEST_COLUMNS = 40;
    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,4}) ([1-9]\\d{0,4})\\s*");

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

    /** The size of the terminal according to stty(1). */
    static TerminalSize size() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            Matcher matcher = SIZE.matcher(size);
            return stty.waitFor(1, TimeUnit.SECONDS) && matcher.matches()
                    ? new TerminalSize(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)))
                    : TerminalSize.USUAL;
        } catch (IOException e) {
            return TerminalSize.USUAL;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return TerminalSize.USUAL;
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
        try {
            String device =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString();
            return device.startsWith("/dev/pts/") || device.matches("/dev/(tty|console).*");
        } catch (IOException | UnsupportedOperationException notLinux) {
            // The JVM has a console if standard input and output are terminals.
            return stream == OUT && hasConsole();
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
