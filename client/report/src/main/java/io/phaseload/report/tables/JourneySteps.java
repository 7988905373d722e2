package io.phaseload.report.tables;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Columns;
import io.phaseload.report.cells.Table;
import io.phaseload.result.Figures;

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
        record Step(Part.Made journey, String name, Figures figures) {}
        return new Columns<Step>()
                .text("journey", of -> of.journey().name())
                .text("step", Step::name)
                .count("requests", of -> of.figures().requests())
                .add(
                        new Column("per_journey", "per journey", "", 2),
                        of -> (double) of.figures().requests() / of.journey().all())
                .count("failed", of -> of.figures().failed())
                .add(new Column("failed_percent", "failed", "%", 2), of -> of.figures()
                        .failedPercent())
                .table("journey-steps", part.journeys().stream().flatMap(journey -> part.operations().stream()
                        .filter(of -> of.name().startsWith(journey.name() + ": "))
                        .map(of -> new Step(
                                journey, of.name().substring(journey.name().length() + 2), of.figures()))));
    }
}
