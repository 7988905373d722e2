package io.phaseload.plan;

import io.phaseload.input.Args;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The operations of one iteration, in order.
 *
 * @param operations at least one; names are unique
 */
public record Scenario(List<Operation> operations) {

    /** The body that the default {@code POST /} sends. */
    public static final Body DEFAULT_BODY = Body.ofText("Phaseload says hello");

    /**
     * Checks the operations.
     *
     * @throws IllegalArgumentException if there are none, or two have the same name
     */
    public Scenario {
        operations = Args.notEmpty("operations", operations);
        Set<String> names = new HashSet<>();
        for (Operation operation : operations) {
            if (!names.add(operation.name())) {
                throw new IllegalArgumentException(
                        "operation '%s': expected unique names".formatted(operation.name()));
            }
        }
    }

    /** {@return what a run sends to a server of which it only knows the address: {@code GET /}} */
    public static Scenario getOnly() {
        return new Scenario(List.of(Operation.get("/")));
    }

    /**
     * {@return what a run sends to a target of Phaseload's own: {@code GET /}, then {@code POST /}}
     */
    public static Scenario getThenPost() {
        return new Scenario(List.of(Operation.get("/"), Operation.post("/", DEFAULT_BODY)));
    }
}
