package io.phaseload.result.build;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Check;
import io.phaseload.result.CheckRemark;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds the checks of an operation that never held, and those that never had anything to check. */
final class CheckRemarks {

    /** Of a single response, its own line says all. */
    private static final long LEAST = 2;

    private static final Tally.Failures NONE = new Tally.Failures(0, "");

    private final String operation;
    private final List<Check> checks;
    private final Map<Cause, Tally.Failures> failures = new TreeMap<>();
    private final Map<String, Tally.Failures> warnings = new TreeMap<>();
    private final Map<String, Tally.Failures> unchecked = new TreeMap<>();
    private long succeeded;
    private long failedResponses;

    private CheckRemarks(String operation, List<Check> checks, Stream<Tally> phases) {
        this.operation = operation;
        this.checks = checks;
        phases.forEach(this::add);
    }

    /**
     * Looks at all operations.
     *
     * @param phases the tallies of the operations, by phase
     */
    static List<CheckRemark> of(Plan plan, List<List<Tally>> phases) {
        List<Operation> operations = plan.scenario().operations();
        List<String> names = Operation.namesInResult(operations);
        List<CheckRemark> remarks = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            int index = i;
            List<Check> checks = operations.get(i).checks();
            if (!checks.isEmpty()) {
                remarks.addAll(
                        new CheckRemarks(names.get(i), checks, phases.stream().map(of -> of.get(index))).all());
            }
        }
        return List.copyOf(remarks);
    }

    private void add(Tally tally) {
        tally.failures().forEach((cause, of) -> failures.merge(cause, of, Tally.Failures::plus));
        tally.warnings().forEach((cause, of) -> warnings.merge(cause, of, Tally.Failures::plus));
        tally.unchecked().forEach((cause, of) -> unchecked.merge(cause, of, Tally.Failures::plus));
        succeeded += tally.succeeded();
        failedResponses += tally.responses() - tally.succeeded();
    }

    private List<CheckRemark> all() {
        List<CheckRemark> remarks = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        // A failed response counts for the first check that doesn't hold: later ones aren't asked.
        long before = failures.entrySet().stream()
                .filter(of -> of.getKey().status().isPresent())
                .mapToLong(of -> of.getValue().count())
                .sum();
        for (Check check : checks) {
            String cause = check.cause();
            if (seen.add(cause)) {
                boolean soft = check instanceof Check.Soft;
                Tally.Failures broken =
                        soft ? warnings.getOrDefault(cause, NONE) : failures.getOrDefault(Cause.of(cause), NONE);
                boolean never = soft
                        ? broken.count() == succeeded
                        : succeeded == 0 && failedResponses == before + broken.count();
                before += soft ? 0 : broken.count();
                if (never && broken.count() >= LEAST) {
                    remarks.add(remark(cause, CheckRemark.Reason.NEVER_HELD, broken));
                }
                Tally.Failures idle = unchecked.getOrDefault(cause, NONE);
                if (idle.count() >= LEAST && idle.count() == succeeded) {
                    remarks.add(remark(cause, CheckRemark.Reason.NOTHING_TO_CHECK, idle));
                }
            }
        }
        return remarks;
    }

    private CheckRemark remark(String cause, CheckRemark.Reason finding, Tally.Failures of) {
        return new CheckRemark(operation, cause, finding, of.count(), of.detail());
    }
}
