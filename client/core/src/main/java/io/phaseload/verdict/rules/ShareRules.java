package io.phaseload.verdict.rules;

import io.phaseload.stats.ClientShare;
import io.phaseload.verdict.Finding;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Judges the client's own part of response times. */
public final class ShareRules {

    /** From here on, one cause is most of it. */
    private static final double MOST = 0.5;

    private ShareRules() {}

    /**
     * Judges a phase, or all measured phases together.
     *
     * @param words of the run
     * @param phase the phase's name; empty for all
     * @param share the client's own part
     * @param ownMillis its part of the figure of which it has the largest share, in milliseconds
     * @param timers the part of its mean that late timers caused, 0 to 1; empty if unknown
     * @return empty if no more than a tenth of any figure may be the client's
     */
    public static Optional<Finding> judge(
            Wording words, Optional<String> phase, ClientShare share, double ownMillis, Optional<Double> timers) {
        Map<String, Double> over = share.overLimit();
        if (over.isEmpty()) {
            return Optional.empty();
        }
        Object[] evidence = {
            Collections.max(over.values()),
            ownMillis,
            over.entrySet().stream()
                    .map(each -> String.format(Locale.ROOT, "%.0f %% of %s", each.getValue(), each.getKey()))
                    .collect(Collectors.joining(", ")),
            timers.isEmpty()
                    ? "its timers were late, or its threads waited for a CPU or for the JVM"
                    : timers.get() > MOST
                            ? "most of it since its timers were late"
                            : "most of it since its threads waited for a CPU or for the JVM"
        };
        return Optional.of(phase.map(name -> Rule.CLIENT_SHARE.in(words, name, evidence))
                .orElseGet(() -> Rule.CLIENT_SHARE.finding(words, evidence)));
    }
}
