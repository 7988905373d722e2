package io.phaseload.audit;

import io.phaseload.audit.Check.Outcome;
import io.phaseload.result.json.JsonFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The trust that another tool's result deserves.
 *
 * @param tool the format, such as {@code k6 summary}
 * @param requests the number of requests; empty if the file doesn't have it, as are the others
 * @param failed the number of those that failed
 * @param seconds the length of the run
 * @param users the most users
 * @param meanMs the mean response time
 * @param p99Ms the 99th percentile
 * @param checks in a fixed order
 * @param hidden facts that the file can't show
 */
public record Audit(
        String tool,
        Optional<Double> requests,
        Optional<Double> failed,
        Optional<Double> seconds,
        Optional<Double> users,
        Optional<Double> meanMs,
        Optional<Double> p99Ms,
        List<Check> checks,
        List<String> hidden) {

    /**
     * Judges a result.
     *
     * @param run the figures
     * @param users the number of users or connections, if the file doesn't have it
     * @return the outcome of all checks
     */
    static Audit of(ForeignRun run, OptionalDouble users) {
        ForeignRun known = users.isPresent() && Double.isNaN(run.users()) ? run.withUsers(users.getAsDouble()) : run;
        List<String> hidden = new ArrayList<>(known.format().hidden());
        if (known.format().sending() != ForeignFormat.Sending.AT_A_RATE) {
            hidden.add("when each request was due: a response time counts from when it was sent");
        }
        hidden.add("how busy the client's machine was: its CPU, pauses and connections");
        hidden.add("whether warm-up is part of the figures");
        if (known.each().isEmpty()) {
            hidden.add("whether the load was steady");
        }
        return new Audit(
                known.format().title(),
                known(known.requests()),
                known(known.failed()),
                known(known.seconds()),
                known(known.mostUsers()),
                known(known.times().mean()),
                known(known.times().percentile(99)),
                new Checks(known).all(),
                List.copyOf(hidden));
    }

    private static Optional<Double> known(double value) {
        return Double.isFinite(value) ? Optional.of(value) : Optional.empty();
    }

    /**
     * How many checks have an outcome.
     *
     * @param outcome the outcome
     * @return the count
     */
    public long count(Outcome outcome) {
        return checks.stream().filter(of -> of.outcome() == outcome).count();
    }

    /**
     * Writes it as JSON, with these names.
     *
     * @return indented JSON that ends in a line feed
     */
    public String json() {
        return JsonFile.text(this);
    }
}
