package io.phaseload.measure;

import io.phaseload.measure.times.Times;
import io.phaseload.plan.check.Metric;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The sum of samples. Histograms hold nanoseconds up to 1 h, with three significant digits (an error of at most 0.1 %);
 * anything longer is recorded as 1 h.
 *
 * <p>Not thread-safe: it is owned by one thread, or guarded by its owner's lock.
 */
public final class Tally {

    /**
     * The number of requests that failed with one cause.
     *
     * @param count at least 1
     * @param detail the first message of these failures, or an empty text
     */
    public record Failures(long count, String detail) {

        /** Both, with the first message that isn't empty. */
        public Failures plus(Failures later) {
            return new Failures(count + later.count, detail.isEmpty() ? later.detail : detail);
        }
    }

    private final Times times = new Times();
    private final Map<Cause, Failures> failures = new TreeMap<>();
    private final Map<String, Failures> warnings = new TreeMap<>();
    private final Map<String, Failures> unchecked = new TreeMap<>();
    private final Map<Metric, Values> metrics = new LinkedHashMap<>();
    private final RequestCounts counts = new RequestCounts();
    // Most tallies of a long run have none.
    private @Nullable KeptRequests kept;

    /** Creates an empty tally. */
    public Tally() {}

    /**
     * Creates a packed tally of stored histograms and counters, the reverse of {@link #histograms()},
     * {@link #counters()} and {@link #metrics()}. It is packed.
     *
     * @param histograms by kind, in nanoseconds; missing ones are empty
     * @param causes failures by the keys of their causes
     * @param counters all others
     * @param metrics numbers from bodies
     * @return a tally of them
     */
    public static Tally of(
            Map<Timing, Histogram> histograms,
            Map<String, Failures> causes,
            Counters counters,
            Map<Metric, Values> metrics) {
        Tally tally = new Tally();
        histograms.forEach(tally.times::pack);
        causes.forEach((key, of) -> tally.failures.put(Cause.of(key), of));
        tally.metrics.putAll(metrics);
        tally.counts.add(counters, tally.succeeded());
        return tally;
    }

    /**
     * Packs its histograms to about a hundredth of their size, and unpacks them whenever they are read. This is for the
     * thousands of seconds of a long run, which aren't all used at once.
     */
    public void pack() {
        times.pack();
    }

    /**
     * Whether it isn't packed.
     *
     * @return true if it has histograms of a quarter of a MiB each
     */
    public boolean isLarge() {
        return times.isLarge();
    }

    /**
     * Adds the times of a timing to others.
     *
     * @param timing the timing
     * @param sum in nanoseconds
     */
    public void addTo(Timing timing, Histogram sum) {
        times.addTo(timing, sum);
    }

    /**
     * The histograms to store.
     *
     * @return those that aren't empty, by timing, in nanoseconds; must not be changed
     */
    public Map<Timing, Histogram> histograms() {
        return times.histograms();
    }

    /**
     * The times of a timing.
     *
     * @param timing the timing
     * @return in nanoseconds; must not be changed
     */
    public Histogram histogram(Timing timing) {
        return times.histogram(timing);
    }

    /**
     * Response times of the requests that succeeded.
     *
     * @return a copy, in nanoseconds
     */
    public Histogram responseOfSuccesses() {
        Histogram successes = times.copy(Timing.RESPONSE);
        if (failed() > 0) {
            successes.subtract(histogram(Timing.FAILED));
        }
        return successes;
    }

    /**
     * Adds a sample.
     *
     * @param sample a sample of the tally's operation
     */
    public void add(Sample sample) {
        SampleTimes.add(sample, times);
        Outcome outcome = sample.exchange().outcome();
        if (outcome instanceof Outcome.Success success) {
            if (outcome != Outcome.SUCCESS) {
                success.metrics().forEach((metric, value) -> add(metric, Values.of(value)));
                success.warnings().forEach((cause, found) -> add(warnings, cause, 1, found));
                success.unchecked().forEach(cause -> add(unchecked, cause, 1, ""));
            }
        } else {
            add(failures, outcome.cause(), 1, outcome.detail());
        }
        counts.add(sample.exchange());
    }

    /**
     * Adds a sample, and keeps its request if it is among the slowest or the first to fail.
     *
     * @param sample a sample of the tally's operation
     * @param sender asked only for what is kept
     */
    public void add(Sample sample, KeptRequest.Sender sender) {
        add(sample);
        KeptRequests requests = keeping();
        if (requests.wants(sample)) {
            requests.add(sender.kept(sample));
        }
    }

    /**
     * Keeps requests that were among the slowest or the first to fail where they were measured.
     *
     * @param requests of samples that are in it
     */
    public void keep(Collection<KeptRequest> requests) {
        if (!requests.isEmpty()) {
            keeping().addAll(requests);
        }
    }

    private KeptRequests keeping() {
        KeptRequests requests = kept;
        if (requests == null) {
            requests = new KeptRequests();
            kept = requests;
        }
        return requests;
    }

    /**
     * The slowest requests that succeeded. In an interval, only those that were among the slowest of their phase so
     * far.
     *
     * @return a copy: at most 10, the slowest first
     */
    public List<KeptRequest> slowest() {
        return kept == null ? List.of() : List.copyOf(kept.slowest());
    }

    /**
     * The first requests that failed with each cause. In an interval, only those that were among the first of their
     * phase.
     *
     * @return a copy: at most 3 of each cause, by cause and time
     */
    public List<KeptRequest> firstFailed() {
        return kept == null ? List.of() : List.copyOf(kept.failed());
    }

    /**
     * This tally as that of one of several clients.
     *
     * @param client its name
     * @param ahead by how much its clock was ahead of the one that counts
     * @return a tally that says so of the requests that it keeps; packed if it keeps some
     */
    public Tally from(String client, Duration ahead) {
        if (slowest().isEmpty() && firstFailed().isEmpty()) {
            return this;
        }
        Tally named = new Tally();
        named.add(this);
        named.pack();
        named.kept = new KeptRequests();
        slowest().forEach(request -> named.keep(List.of(request.from(client, ahead))));
        firstFailed().forEach(request -> named.keep(List.of(request.from(client, ahead))));
        return named;
    }

    /**
     * An empty tally for what comes after this one in the same phase.
     *
     * @return a tally that keeps no request that is faster than those that were kept before
     */
    public Tally next() {
        Tally next = new Tally();
        next.kept = kept == null ? null : kept.next();
        return next;
    }

    /**
     * Adds a time that isn't a request's, such as that of a delivery.
     *
     * @param timing its timing
     * @param nanos its length
     */
    public void add(Timing timing, long nanos) {
        times.record(timing, nanos);
    }

    /**
     * Adds a connection that was made for no request.
     *
     * @param setUp its times
     */
    public void add(Exchange.SetUp setUp) {
        SampleTimes.add(setUp, times);
    }

    /**
     * Adds soft checks that didn't hold.
     *
     * @param more the requests for which they didn't, by the checks' causes
     */
    public void addWarnings(Map<String, Failures> more) {
        more.forEach((cause, of) -> add(warnings, cause, of.count(), of.detail()));
    }

    /**
     * Adds negated checks that had nothing to check.
     *
     * @param more the requests for which they hadn't, by the checks' causes
     */
    public void addUnchecked(Map<String, Failures> more) {
        more.forEach((cause, of) -> add(unchecked, cause, of.count(), of.detail()));
    }

    private static <C> void add(Map<C, Failures> causes, C cause, long count, String detail) {
        causes.merge(cause, new Failures(count, detail), Failures::plus);
    }

    /**
     * Adds another tally to this one.
     *
     * @param other the tally, which isn't changed
     */
    public void add(Tally other) {
        times.add(other.times);
        addCounts(other);
    }

    /** Adds others, which aren't changed. */
    void addAll(Collection<Tally> others) {
        times.addAll(others.stream().map(of -> of.times).toList());
        others.forEach(this::addCounts);
    }

    /** Counts and texts, without times. */
    private void addCounts(Tally other) {
        other.failures.forEach((cause, of) -> add(failures, cause, of.count(), of.detail()));
        addWarnings(other.warnings);
        addUnchecked(other.unchecked);
        other.metrics.forEach(this::add);
        counts.add(other.counts);
        if (other.kept != null) {
            keeping().addAll(other.kept);
        }
    }

    /** Empties it. It keeps only requests that it would have kept before. */
    public void reset() {
        times.reset();
        failures.clear();
        warnings.clear();
        unchecked.clear();
        metrics.clear();
        counts.reset();
        if (kept != null) {
            kept.clear();
        }
    }

    /** {@return the number of requests: succeeded + failed} */
    public long requests() {
        return count(Timing.RESPONSE);
    }

    /** {@return the number of requests that succeeded} */
    public long succeeded() {
        return requests() - failed();
    }

    /** {@return the number of requests that failed} */
    public long failed() {
        return count(Timing.FAILED);
    }

    /** {@return the number of complete responses, of any status: at least {@link #succeeded()}} */
    public long responses() {
        return succeeded() + counts.failedResponses();
    }

    /** {@return a view of the failures by {@link Outcome#cause()}, ordered by their keys} */
    public Map<Cause, Failures> failures() {
        return Collections.unmodifiableMap(failures);
    }

    /**
     * Failures as files and reports have them.
     *
     * @return a copy by the keys of their causes, ordered
     */
    public Map<String, Failures> causes() {
        Map<String, Failures> causes = new TreeMap<>();
        failures.forEach((cause, of) -> causes.put(cause.key(), of));
        return Collections.unmodifiableMap(causes);
    }

    /**
     * Requests that succeeded although a soft check didn't hold, by the check's cause. A request counts once for each
     * such check.
     *
     * @return sorted by cause; must not be changed
     */
    public Map<String, Failures> warnings() {
        return Collections.unmodifiableMap(warnings);
    }

    /**
     * Requests that succeeded where a negated check held only because there was no value or no body, by the check's
     * cause.
     *
     * @return sorted by cause, without details; must not be changed
     */
    public Map<String, Failures> unchecked() {
        return Collections.unmodifiableMap(unchecked);
    }

    /** {@return a view of the numbers from the bodies of successes} */
    public Map<Metric, Values> metrics() {
        return Collections.unmodifiableMap(metrics);
    }

    /** {@return the counts that no histogram holds, as they are now} */
    public Counters counters() {
        return counts.counters(responses());
    }

    /**
     * The number of times of a timing.
     *
     * @param timing the timing
     * @return the number, without unpacking the histogram
     */
    public long count(Timing timing) {
        return times.count(timing);
    }

    private void add(Metric metric, Values values) {
        metrics.merge(metric, values, Values::plus);
    }
}
