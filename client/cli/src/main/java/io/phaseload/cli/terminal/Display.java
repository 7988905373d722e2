package io.phaseload.cli.terminal;

import io.phaseload.cli.command.GeneralOptions.Color;
import java.io.PrintStream;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The use of escape sequences: colours on standard output, and a live line on a terminal.
 *
 * @param coloured true for colours
 * @param moving false if the cursor may not be moved
 */
public record Display(boolean coloured, boolean moving) {

    /** No escape sequences. */
    public static final Display PLAIN = new Display(false, false);

    /** By the option, the variables of the environment, and standard output, in this order. */
    public static Display of(Color color) {
        return of(color, System::getenv, Terminal.isTerminal(Terminal.OUT));
    }

    static Display of(Color color, UnaryOperator<String> environment, boolean terminal) {
        boolean dumb = "dumb".equals(environment.apply("TERM"));
        boolean none = color == Color.NEVER || color == Color.AUTO && isSet(environment.apply("NO_COLOR"));
        boolean forced = color == Color.ALWAYS || isSet(environment.apply("FORCE_COLOR"));
        return new Display(!none && (forced || terminal && !dumb), !none && !dumb);
    }

    /** An empty variable is as good as none, and {@code FORCE_COLOR=0} is common. */
    private static boolean isSet(String value) {
        return value != null && !value.isEmpty() && !value.equals("0");
    }

    /** A report as standard output shows it. */
    public String paint(String report) {
        return coloured ? Colours.painted(report) : report;
    }

    /**
     * The stream for a live line.
     *
     * @param out standard output
     * @param err standard error
     * @param data true if standard output is for data alone
     * @return standard output if it is a terminal, otherwise standard error if that is one
     */
    public Optional<PrintStream> live(PrintStream out, PrintStream err, boolean data) {
        if (moving && !data && Terminal.isTerminal(Terminal.OUT)) {
            return Optional.of(out);
        }
        return moving && Terminal.isTerminal(Terminal.ERR) ? Optional.of(err) : Optional.empty();
    }
}
