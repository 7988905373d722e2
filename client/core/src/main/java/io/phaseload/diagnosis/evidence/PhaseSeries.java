package io.phaseload.diagnosis.evidence;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.plan.Load;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.stats.RecordedValues;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.rules.Wording;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * One phase, as a whole and second by second.
 *
 * @param words of its run
 * @param name the phase's
 * @param responseTimeout after which a request counts as failed
 * @param names of the operations
 * @param operations a tally of each, in order; not to be changed
 * @param all their sum
 * @param seconds its intervals, in order
 */
public record PhaseSeries(
        Wording words,
        String name,
        int users,
        Duration wall,
        Load load,
        Duration responseTimeout,
        List<String> names,
        List<Tally> operations,
        Tally all,
        List<Second> seconds,
        List<Facts> facts) {

    /** Shorter intervals are the rest of a phase, whose rates say little. */
    private static final Duration NEARLY_A_SECOND = Duration.ofMillis(800);

    private static final double NEARLY_ALL = 0.9;
    private static final long FIRST_NANOS = 1_000_000_000;

    /** Its whole seconds, without the first and the last one, in which users come and go. */
    public List<Second> steady() {
        List<Second> inner = seconds.size() < 3 ? List.of() : seconds.subList(1, seconds.size() - 1);
        return inner.stream()
                .filter(second -> second.length().compareTo(NEARLY_A_SECOND) >= 0)
                .toList();
    }

    /** Its sampled requests, of one operation after the other; none without a sample. */
    public Stream<SampledRequest> requests() {
        return facts.stream().flatMap(operation -> operation.requests().stream());
    }

    /** Whether each of its requests is in the sample. */
    public boolean hasAll() {
        return !facts.isEmpty() && facts.stream().allMatch(operation -> operation.share() == 1);
    }

    /**
     * The times of sampled TCP handshakes that began after the phase's first second, in which users connect all at
     * once, with a client that may be cold.
     *
     * @return in nanoseconds, sorted; empty if they aren't known
     */
    public long[] laterHandshakes() {
        return requests()
                .filter(of -> of.isNew() && of.connection().connectNanos() >= 0)
                .filter(of -> of.sentNanos() - of.connection().setUpNanos() >= FIRST_NANOS)
                .mapToLong(of -> of.connection().connectNanos())
                .sorted()
                .toArray();
    }

    /**
     * How long users paused before some of their requests, from the end of the one before; what making a connection
     * took is no pause.
     *
     * @return in nanoseconds, sorted; empty if not all requests are in the sample
     */
    public long[] pauses(Predicate<SampledRequest> such) {
        return !hasAll()
                ? new long[0]
                : requests()
                        .sorted(Comparator.comparingLong(SampledRequest::sentNanos))
                        .collect(Collectors.groupingBy(SampledRequest::user))
                        .values()
                        .stream()
                        .flatMapToLong(user -> IntStream.range(1, user.size())
                                .filter(i -> such.test(user.get(i)))
                                .mapToLong(i -> user.get(i).sentNanos()
                                        - user.get(i).connection().setUpNanos()
                                        - user.get(i - 1).endNanos()))
                        .sorted()
                        .toArray();
    }

    /**
     * The service time that nearly all of some sampled requests don't exceed: at a busy target, others wait for one of
     * these now and then.
     *
     * @return the 90th percentile, in nanoseconds; 0 without such a request
     */
    public long nearlyAllNanos(Predicate<SampledRequest> such) {
        return Facts.quantileNanos(requests().filter(such).toList(), NEARLY_ALL);
    }

    /** The sampled requests of an operation; empty without a sample. */
    public Optional<Facts> facts(int operation) {
        return facts.isEmpty() ? Optional.empty() : Optional.of(facts.get(operation));
    }

    /**
     * The same phase as one of its operations alone made it.
     *
     * @param operation its index
     * @return a copy whose requests and failures are that operation's; bytes, times and figures of each second stay
     *     those of all
     */
    public PhaseSeries only(int operation) {
        return new PhaseSeries(
                words,
                name,
                users,
                wall,
                load,
                responseTimeout,
                List.of(names.get(operation)),
                List.of(operations.get(operation)),
                operations.get(operation),
                seconds.stream().map(second -> second.only(operation)).toList(),
                facts(operation).stream().toList());
    }

    /** The same phase with its seconds from one on; its sums stay those of all. */
    PhaseSeries from(Second second) {
        return new PhaseSeries(
                words,
                name,
                users,
                wall,
                load,
                responseTimeout,
                names,
                operations,
                all,
                seconds.subList(seconds.indexOf(second), seconds.size()),
                facts);
    }

    /** Its start from the run's start, in seconds. */
    public double startSeconds() {
        return seconds.isEmpty() ? 0 : seconds.get(0).startSeconds();
    }

    /** The number of requests that failed with a cause. */
    public long failed(Cause cause) {
        Tally.Failures failures = all.failures().get(cause);
        return failures == null ? 0 : failures.count();
    }

    /** The first message of the requests that failed with a cause, or an empty text. */
    public String detail(Cause cause) {
        Tally.Failures failures = all.failures().get(cause);
        return failures == null ? "" : failures.detail();
    }

    /** A part of the phase's requests, from 0 to 1. */
    public double share(long requests) {
        return all.requests() == 0 ? 0 : (double) requests / all.requests();
    }

    /** The sum of all times of a timing, in nanoseconds. */
    public double sum(Timing timing) {
        Histogram times = all.histogram(timing);
        return RecordedValues.of(times).mean() * times.getTotalCount();
    }

    /** A part of the time in which users connected or waited for responses, from 0 to 1. */
    public double shareOfTime(double nanos) {
        double time = sum(Timing.SERVICE) + sum(Timing.SET_UP);
        return time == 0 ? 0 : Math.min(1, nanos / time);
    }

    /** A percentile of a timing, in milliseconds. */
    public double millis(Timing timing, double percentile) {
        return all.histogram(timing).getValueAtPercentile(percentile) / 1e6;
    }

    /**
     * How often something happened to the client's machine.
     *
     * @param rate of {@link Figures}, per second
     */
    public long clientCount(String rate) {
        return Math.round(
                seconds.stream().mapToDouble(of -> of.clientCount(rate)).sum());
    }

    /** The servers with figures in its {@linkplain #steady() steady} seconds. */
    public List<ServerSeries> servers() {
        return ServerSeries.of(steady());
    }

    /** How many requests were under way on average: Little's law. */
    public double inFlight() {
        return sum(Timing.SERVICE) / Math.max(1, wall.toNanos());
    }

    /** Whether its load neither grows nor shrinks. */
    public boolean isConstant() {
        return load instanceof Load.Closed closed
                ? closed.ramp().isZero()
                : constantRate().isPresent();
    }

    /** The requests that are due a second, if its rate neither grows nor shrinks. */
    public Optional<Rate> constantRate() {
        if (load instanceof Load.Open open && open.schedule() instanceof ConstantArrivals constant) {
            return Optional.of(constant.rate());
        }
        return load instanceof Load.Open open && open.schedule() instanceof PoissonArrivals poisson
                ? Optional.of(poisson.rate())
                : Optional.empty();
    }

    /** Whether its requests come at random times. */
    public boolean isAtRandom() {
        return load instanceof Load.Open open && open.schedule() instanceof PoissonArrivals;
    }

    /** An operation's requests: all, if there is no other operation. */
    public String inWords(int operation) {
        return names.size() == 1 ? "all" : "'" + names.get(operation) + "'";
    }

    /** The same behind a noun, such as " of 'POST /'"; nothing if there is no other operation. */
    public String ofInWords(int operation) {
        return names.size() == 1 ? "" : " of " + inWords(operation);
    }

    /** Whether users ask again as soon as they are answered, so that they load a target fully. */
    public boolean isAtOnce() {
        return load instanceof Load.Closed closed
                && closed.think().isNone()
                && closed.pacing().isNone();
    }
}
