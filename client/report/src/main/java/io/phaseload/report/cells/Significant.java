package io.phaseload.report.cells;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers that are read at a glance; tables have all places of them. */
public final class Significant {

    private static final MathContext DIGITS = new MathContext(3);

    private Significant() {}

    /**
     * A number to three significant digits, alike in every locale.
     *
     * @param number any that is finite
     * @return such as {@code 0.512}, {@code 12.3} or {@code 36,700}
     */
    public static String text(double number) {
        if (number == 0) {
            return "0";
        }
        BigDecimal rounded = BigDecimal.valueOf(number).round(DIGITS);
        int beforePoint = rounded.precision() - rounded.scale();
        int decimals = Math.max(0, DIGITS.getPrecision() - beforePoint);
        return String.format(Locale.ROOT, "%,." + decimals + "f", rounded);
    }
}
