package io.phaseload.cli;

import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads {@code --phases}.
 *
 * @param length of each phase
 */
record PhaseList(PhaseLength length) {

    private static final String EXPECTED =
            "expected name=share,… with lower-case names and shares above 0 and at most 1, such as"
                    + " warmup=0.1,peak=1";

    /**
     * Reads a list.
     *
     * @throws IllegalArgumentException with a message that begins with "expected"
     */
    Phase[] parse(String text) {
        Phase[] phases = Stream.of(text.split(",", -1)).map(this::phase).toArray(Phase[]::new);
        Set<String> names = new HashSet<>();
        for (Phase phase : phases) {
            if (!names.add(phase.name())) {
                throw new IllegalArgumentException(
                        "expected names that are unique, there are two of " + phase.name());
            }
        }
        return phases;
    }

    private Phase phase(String item) {
        int equals = item.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException(EXPECTED + ", not '" + item + "'");
        }
        try {
            return new Phase(
                    item.substring(0, equals).strip(),
                    Double.parseDouble(item.substring(equals + 1)),
                    length);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(EXPECTED + ", not '" + item + "'", e);
        }
    }
}
