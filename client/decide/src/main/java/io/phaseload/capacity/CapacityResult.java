package io.phaseload.capacity;

import io.phaseload.result.Environment;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A search for a capacity, finished or not.
 *
 * @param schemaVersion the version of the JSON format
 * @param name of the search
 * @param target the place where the requests went
 * @param startedAt the time when it began
 * @param objectives the objectives as text
 * @param search the way of the search
 * @param budgetSeconds the most time that it may take
 * @param environment the machine that ran it
 * @param arguments its command line, without secrets
 * @param steps the steps so far, in order
 * @param answer the result so far; empty if no load held
 * @param finished true if the search ended by itself
 */
public record CapacityResult(
        int schemaVersion,
        String name,
        String target,
        Instant startedAt,
        List<String> objectives,
        Search search,
        double budgetSeconds,
        Environment environment,
        List<String> arguments,
        List<CapacityStep> steps,
        Optional<Answer> answer,
        boolean finished) {

    private static final double ALL = 100;

    /** Keeps the lists from being changed. */
    public CapacityResult {
        objectives = List.copyOf(objectives);
        arguments = List.copyOf(arguments);
        steps = List.copyOf(steps);
    }

    /**
     * A step.
     *
     * @param number its number
     * @return the step
     */
    public CapacityStep step(int number) {
        return steps.get(number - 1);
    }

    /** {@return {@code true} if not one request of the first step succeeded, so that load isn't what is wrong} */
    public boolean nothingSucceeded() {
        return steps.stream()
                .limit(1)
                .flatMap(step -> step.objectives().stream())
                .anyMatch(of -> of.unit().equals("%") && of.figure() >= ALL);
    }

    /**
     * This search with one more step.
     *
     * @param step the step
     * @return a copy with the answer that follows from it
     */
    public CapacityResult with(CapacityStep step) {
        List<CapacityStep> all = Stream.concat(steps.stream(), Stream.of(step)).toList();
        return of(all, finished);
    }

    /** {@return this search as one that ended by itself} */
    public CapacityResult end() {
        return of(steps, true);
    }

    private CapacityResult of(List<CapacityStep> all, boolean ended) {
        return new CapacityResult(
                schemaVersion,
                name,
                target,
                startedAt,
                objectives,
                search,
                budgetSeconds,
                environment,
                arguments,
                all,
                search.answer(all),
                ended);
    }
}
