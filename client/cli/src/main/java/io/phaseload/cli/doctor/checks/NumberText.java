package io.phaseload.cli.doctor.checks;

import java.util.Locale;

/** Texts with numbers that look the same in every locale. */
final class NumberText {

    private NumberText() {}

    static String of(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
