package io.phaseload.report.tables;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult.OperationResult;

/** How far journeys get. */
public final class JourneySteps {

    private JourneySteps() {}

    /**
     * The requests of each step.
     *
     * @param part the phases to count
     * @return the table {@code journey-steps}, in the order of the plan
     */
    public static Table of(Part part) {
        Table.Builder table = new Table.Builder(
                "journey-steps",
                Column.text("journey"),
                Column.text("step"),
                Column.count("requests"),
                new Column("per_journey", "per journey", "", 2),
                Column.count("failed"),
                new Column("failed_percent", "failed", "%", 2));
        for (Part.Made journey : part.journeys()) {
            String prefix = journey.name() + ": ";
            for (OperationResult step : part.operations()) {
                if (step.name().startsWith(prefix)) {
                    Figures of = step.figures();
                    table.row(
                            journey.name(),
                            step.name().substring(prefix.length()),
                            of.requests(),
                            (double) of.requests() / journey.all(),
                            of.failed(),
                            of.failedPercent());
                }
            }
        }
        return table.build();
    }
}
