package io.phaseload.cli;

import java.io.Console;
import java.lang.reflect.Method;

/** Whether somebody watches. */
final class Terminal {

    private Terminal() {}

    /** Standard output is a terminal that may be written on freely. */
    static boolean isLive() {
        String noColor = System.getenv("NO_COLOR");
        return isTerminal()
                && (noColor == null || noColor.isEmpty())
                && !"dumb".equals(System.getenv("TERM"));
    }

    private static boolean isTerminal() {
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
