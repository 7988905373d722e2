package io.phaseload.report.tables;

import io.phaseload.input.Secrets;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.result.PhaseResult.OperationResult;
import java.util.List;

/** Names of operations for people, with the path that was sent: the address's own, and the operation's behind it. */
public final class SentNames {

    private SentNames() {}

    /**
     * The name of an operation, unless its plan gave it one of its own.
     *
     * @param plan of the run
     * @param name in the result, such as {@code GET /b}
     * @return such as {@code GET /a/b}, without secrets
     */
    public static String of(Plan plan, String name) {
        List<Operation> operations = plan.scenario().operations();
        int index = Operation.namesInResult(operations).indexOf(name);
        if (index < 0) {
            return name;
        }
        String method = operations.get(index).method() + " ";
        String path = operations.get(index).path();
        String own = method + Secrets.redactQuery(path);
        String sent = method + Secrets.redactQuery(plan.target().requestTarget(path));
        // The second one of a name has a number.
        if (name.startsWith(own) && name.substring(own.length()).matches("(?: ?#\\d+)?")) {
            return sent + name.substring(own.length());
        }
        // A journey's name comes first where there are several.
        return name.endsWith(": " + own) ? name.substring(0, name.length() - own.length()) + sent : name;
    }

    /** The same operations with these names. */
    static List<OperationResult> of(Plan plan, List<OperationResult> operations) {
        return operations.stream()
                .map(operation -> new OperationResult(
                        of(plan, operation.name()),
                        operation.figures(),
                        operation.slowestRequests(),
                        operation.failedRequests()))
                .toList();
    }
}
