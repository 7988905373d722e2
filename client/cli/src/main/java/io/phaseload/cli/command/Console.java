package io.phaseload.cli.command;

import io.phaseload.cli.command.GeneralOptions.Color;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The streams of a command.
 *
 * @param color the use of escape sequences on them
 */
public record Console(InputStream in, PrintStream out, PrintStream err, Color color) {

    Console with(Color other) {
        return new Console(in, out, err, other);
    }

    /** The same streams, with standard error for all text. */
    public Console withoutOut() {
        return new Console(in, err, err, color);
    }

    /** The stream for people: standard output, unless that is for data alone. */
    public PrintStream text(boolean data) {
        return data ? err : out;
    }

    /** Prints a report to standard output: JSON as UTF-8, text in the terminal's encoding. */
    public void print(boolean json, String report) {
        if (json) {
            print(report);
        } else {
            out.print(report);
            out.flush();
        }
    }

    /** Prints JSON or another text to standard output as UTF-8, whatever the terminal's encoding is. */
    public void print(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
