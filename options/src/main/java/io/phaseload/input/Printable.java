package io.phaseload.input;

import java.util.regex.Pattern;

/** Text of other processes, for terminals. */
public final class Printable {

    /** Those of Latin-1, too, such as the one-character form of {@code ESC [}. */
    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

    private Printable() {}

    /** The text on one line, with {@code \x1f} for such a control character, which a terminal would obey. */
    public static String of(String text) {
        return CONTROL.matcher(text)
                .replaceAll(match -> "\\\\x%02x".formatted((int) match.group().charAt(0)));
    }
}
