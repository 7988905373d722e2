package io.phaseload.result.build;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.plan.check.Threshold;
import io.phaseload.result.Figures;
import java.time.Duration;
import java.util.List;

/**
 * The coverage of figures over several phases.
 *
 * @param measured the names of the measured phases
 * @param inPhases the time that any phase was running
 * @param inMeasured the time that any measured phase was running
 */
public record Scope(List<String> measured, Duration inPhases, Duration inMeasured) {

    /**
     * The scope of consecutive phases.
     *
     * @param measured the names of the measured phases
     * @param phases all phases
     * @return their scope
     */
    public static Scope of(List<String> measured, List<PhaseMeasurement> phases) {
        return new Scope(measured, wall(phases), wall(named(measured, phases)));
    }

    Figures figures(List<PhaseMeasurement> phases) {
        return figures(measured, -1, phases);
    }

    /**
     * The figures that a threshold judges.
     *
     * @param operation the index of the only operation or journey that it is about, or -1
     */
    Figures figures(Threshold threshold, int operation, List<PhaseMeasurement> phases) {
        return figures(threshold.phases(measured), operation, phases);
    }

    private Figures figures(List<String> names, int operation, List<PhaseMeasurement> phases) {
        List<PhaseMeasurement> own = named(names, phases);
        Tally sum = Tallies.sum(own.stream()
                .map(phase -> pick(phase.operations(), phase.journeys(), operation))
                .toList());
        return Figures.of(sum, names.equals(measured) ? inMeasured : wall(own));
    }

    /** The tally of one operation or, behind these, of one journey; of all operations for -1. */
    static Tally pick(List<Tally> operations, List<Tally> journeys, int index) {
        if (index < 0) {
            return Tallies.sum(operations);
        }
        return index < operations.size() ? operations.get(index) : journeys.get(index - operations.size());
    }

    private static List<PhaseMeasurement> named(List<String> names, List<PhaseMeasurement> phases) {
        return phases.stream()
                .filter(phase -> names.contains(phase.phase().name()))
                .toList();
    }

    private static Duration wall(List<PhaseMeasurement> phases) {
        return phases.stream().map(PhaseMeasurement::wall).reduce(Duration.ZERO, Duration::plus);
    }
}
