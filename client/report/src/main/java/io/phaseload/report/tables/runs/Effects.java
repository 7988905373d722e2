package io.phaseload.report.tables.runs;

import io.phaseload.report.notation.TextFormat;
import io.phaseload.stats.Effect;
import io.phaseload.stats.Scale;

/** Formats changes for people: in percent of the old value, or in percentage points. */
public final class Effects {

    private static final double PERCENT = 100;

    private Effects() {}

    /**
     * A change with its sign and unit.
     *
     * @param effect the effect, for its unit
     * @param change one of its values, such as its lower bound
     * @return such as {@code +3.1 %} or {@code -0.25 points}
     */
    public static String signed(Effect effect, double change) {
        return number(effect, change) + unit(effect);
    }

    /**
     * The direction of a change, whether it is better or worse.
     *
     * @param effect the effect
     * @return an arrow and a space; empty without a change
     */
    public static String arrow(Effect effect) {
        return effect.change() == 0 ? "" : effect.change() > 0 ? "▲ " : "▼ ";
    }

    static String interval(Effect effect) {
        return number(effect, effect.low()) + " to " + signed(effect, effect.high());
    }

    /**
     * Whether a figure has certainly changed.
     *
     * @param word for its change
     * @return {@code true} if it is better or worse
     */
    public static boolean moved(Effect.Word word) {
        return word == Effect.Word.WORSE || word == Effect.Word.BETTER;
    }

    /**
     * The unit of an effect.
     *
     * @param effect the effect
     * @return {@code " %"} or {@code " points"}
     */
    public static String unit(Effect effect) {
        return effect.scale() == Scale.RELATIVE ? " %" : " points";
    }

    private static String number(Effect effect, double change) {
        String pattern = effect.scale() == Scale.RELATIVE ? "%+.1f" : "%+.2f";
        return TextFormat.format(pattern, PERCENT * change);
    }
}
