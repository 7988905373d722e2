package io.phaseload.cluster;

import io.phaseload.result.Agents;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The agent that kept the others waiting. */
final class Waits {

    /** Less isn't worth a word. */
    private static final long NOTABLE_NANOS = 1_000_000_000L;

    private Waits() {}

    /**
     * The last one, if it was notably later than all others.
     *
     * @param members that were waited for
     * @param when each was there: nanoseconds since any time
     */
    static Optional<Agents.Wait> of(List<Member> members, ToLongFunction<Member> when) {
        List<Member> inOrder = members.stream()
                .sorted(Comparator.comparingLong(when).reversed())
                .toList();
        if (inOrder.size() < 2) {
            return Optional.empty();
        }
        Member last = inOrder.get(0);
        long later = when.applyAsLong(last) - when.applyAsLong(inOrder.get(1));
        return later < NOTABLE_NANOS ? Optional.empty() : Optional.of(new Agents.Wait(last.name(), later / 1e9));
    }
}
