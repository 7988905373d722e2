package io.phaseload.cli.run;

import io.phaseload.settings.PlanTexts;
import io.phaseload.settings.Settings;
import java.util.function.UnaryOperator;

/**
 * Values in the place of names in braces.
 *
 * @param typed fills them into a text of the command line
 * @param ofPlan fills them into the texts of the plan's file
 * @param completed adds what the scenarios of all settings take
 */
public record Filling(UnaryOperator<String> typed, PlanTexts ofPlan, UnaryOperator<Settings> completed) {

    /** Leaves all as it was written. */
    public static final Filling NONE =
            new Filling(UnaryOperator.identity(), PlanTexts.AS_WRITTEN, UnaryOperator.identity());
}
