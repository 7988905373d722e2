package io.phaseload.cli;

import io.phaseload.plan.Operation;
import java.util.HashMap;
import java.util.Map;

/** Tells requests apart that are the same: from the second on, their names have a number. */
final class OperationNames {

    private final Map<String, Integer> counts = new HashMap<>();

    /** The next operation of an iteration. */
    Operation numbered(Operation operation) {
        int count = counts.merge(operation.method() + " " + operation.path(), 1, Integer::sum);
        return count == 1 ? operation : operation.named(operation.name() + " #" + count);
    }
}
