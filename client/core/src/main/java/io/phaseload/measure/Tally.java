package io.phaseload.measure;

import io.phaseload.http.Outcome;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Samples added up. Histograms hold nanoseconds, up to 1 h, with three significant digits (so a
 * value is off by at most 0.1 %); what is longer is recorded as 1 h.
 *
 * <p>Not thread-safe: it is owned by one thread, or guarded by its owner's lock.
 */
public final class Tally {

    private static final long HIGHEST = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;

    /**
     * How often a request failed in one way.
     *
     * @param count at least 1
     * @param detail what the first of them said, or an empty text
     */
    public record Failures(long count, String detail) {}

    private final Histogram successes = newHistogram();
    private final Histogram service = newHistogram();
    private final Histogram slip = newHistogram();
    // Rare in a healthy run, so not made before the first.
    private Histogram failures;
    private Histogram setUps;
    private final Map<String, Failures> causes = new TreeMap<>();
    private long failedResponses;
    private long censored;
    private long bytesReceived;
    private long reconnects;

    /**
     * Adds tallies.
     *
     * @param tallies left as they are
     * @return their sum
     */
    public static Tally sum(Collection<Tally> tallies) {
        Tally sum = new Tally();
        tallies.forEach(sum::add);
        return sum;
    }

    /**
     * A tally of histograms and counters that were kept, the reverse of {@link #histograms()}.
     *
     * @param histograms by kind, in nanoseconds; what isn't there is empty
     * @param causes failures by cause
     * @param counters all others
     * @return a tally of them
     */
    public static Tally of(
            Map<String, Histogram> histograms, Map<String, Failures> causes, Counters counters) {
        Tally tally = new Tally();
        histograms.forEach(
                (kind, nanos) -> {
                    switch (kind) {
                        case "response" -> tally.successes.add(nanos);
                        case "failed" -> tally.failures = plus(null, nanos);
                        case "service" -> tally.service.add(nanos);
                        case "slip" -> tally.slip.add(nanos);
                        case "connect" -> tally.setUps = plus(null, nanos);
                        default -> throw new IllegalArgumentException("histogram of " + kind);
                    }
                });
        if (tally.failures != null) {
            tally.successes.subtract(tally.failures);
        }
        tally.causes.putAll(causes);
        tally.failedResponses = counters.responses() - tally.succeeded();
        tally.censored = counters.censored();
        tally.bytesReceived = counters.bytesReceived();
        tally.reconnects = counters.reconnects();
        return tally;
    }

    /**
     * What a tally counts that no histogram holds.
     *
     * @param responses see {@link Tally#responses()}
     * @param censored see {@link Tally#censored()}
     * @param bytesReceived see {@link Tally#bytesReceived()}
     * @param reconnects see {@link Tally#reconnects()}
     */
    public record Counters(long responses, long censored, long bytesReceived, long reconnects) {}

    /**
     * The histograms to keep.
     *
     * @return by kind, in nanoseconds: response (all requests), failed (their part that failed),
     *     service, slip, connect
     */
    public Map<String, Histogram> histograms() {
        Map<String, Histogram> kinds = new LinkedHashMap<>();
        kinds.put("response", response());
        if (failures != null) {
            kinds.put("failed", failures);
        }
        kinds.put("service", service);
        kinds.put("slip", slip);
        if (setUps != null) {
            kinds.put("connect", setUps);
        }
        return kinds;
    }

    void add(Sample sample) {
        Outcome outcome = sample.exchange().outcome();
        if (outcome == Outcome.SUCCESS) {
            record(successes, sample.responseNanos());
        } else {
            addFailure(outcome, sample.responseNanos());
        }
        record(service, sample.serviceNanos());
        record(slip, sample.slipNanos());
        bytesReceived += sample.exchange().bytesReceived();
        if (sample.exchange().setUpNanos() > 0) {
            setUps = setUps == null ? newHistogram() : setUps;
            record(setUps, sample.exchange().setUpNanos());
        }
        if (sample.exchange().reconnected()) {
            reconnects++;
        }
    }

    private void addFailure(Outcome outcome, long responseNanos) {
        failures = failures == null ? newHistogram() : failures;
        record(failures, responseNanos);
        causes.merge(outcome.cause(), new Failures(1, outcome.detail()), Tally::plus);
        if (outcome.responded()) {
            failedResponses++;
        }
        if (outcome.censored()) {
            censored++;
        }
    }

    /**
     * Adds another tally to this one.
     *
     * @param other left as it is
     */
    public void add(Tally other) {
        successes.add(other.successes);
        service.add(other.service);
        slip.add(other.slip);
        failures = plus(failures, other.failures);
        setUps = plus(setUps, other.setUps);
        other.causes.forEach((cause, count) -> causes.merge(cause, count, Tally::plus));
        failedResponses += other.failedResponses;
        censored += other.censored;
        bytesReceived += other.bytesReceived;
        reconnects += other.reconnects;
    }

    void reset() {
        successes.reset();
        service.reset();
        slip.reset();
        failures = null;
        setUps = null;
        causes.clear();
        failedResponses = 0;
        censored = 0;
        bytesReceived = 0;
        reconnects = 0;
    }

    /**
     * Requests sent.
     *
     * @return succeeded + failed
     */
    public long requests() {
        return service.getTotalCount();
    }

    /**
     * Requests that succeeded.
     *
     * @return the count
     */
    public long succeeded() {
        return successes.getTotalCount();
    }

    /**
     * Requests that failed.
     *
     * @return the count
     */
    public long failed() {
        return failures == null ? 0 : failures.getTotalCount();
    }

    /**
     * Whole responses, whatever they said.
     *
     * @return the count, at least {@link #succeeded()}
     */
    public long responses() {
        return succeeded() + failedResponses;
    }

    /**
     * Failures by {@link Outcome#cause()}.
     *
     * @return a view, ordered by cause
     */
    public Map<String, Failures> causes() {
        return Collections.unmodifiableMap(causes);
    }

    /**
     * Response times of all requests.
     *
     * @return a copy, in nanoseconds
     */
    public Histogram response() {
        Histogram all = successes.copy();
        if (failures != null) {
            all.add(failures);
        }
        return all;
    }

    /**
     * Response times of the requests that succeeded.
     *
     * @return in nanoseconds; not to be changed
     */
    public Histogram responseOfSuccesses() {
        return successes;
    }

    /**
     * Service times of all requests.
     *
     * @return in nanoseconds; not to be changed
     */
    public Histogram service() {
        return service;
    }

    /**
     * Slip of all requests.
     *
     * @return in nanoseconds; not to be changed
     */
    public Histogram slip() {
        return slip;
    }

    /**
     * Times that making a connection took, of those that could be made.
     *
     * @return in nanoseconds; not to be changed
     */
    public Histogram connectionSetUp() {
        return setUps == null ? newHistogram() : setUps;
    }

    /**
     * Requests whose time is a lower bound, because they ran into a timeout.
     *
     * @return the count
     */
    public long censored() {
        return censored;
    }

    /**
     * Bytes of responses, header and body.
     *
     * @return the sum
     */
    public long bytesReceived() {
        return bytesReceived;
    }

    /**
     * Requests that went over a fresh connection because the server had closed the kept one.
     *
     * @return the count
     */
    public long reconnects() {
        return reconnects;
    }

    private static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.min(Math.max(nanos, 0), HIGHEST));
    }

    private static Histogram plus(Histogram sum, Histogram more) {
        if (more == null) {
            return sum;
        }
        Histogram result = sum == null ? newHistogram() : sum;
        result.add(more);
        return result;
    }

    private static Failures plus(Failures one, Failures other) {
        return new Failures(one.count() + other.count(), one.detail());
    }

    private static Histogram newHistogram() {
        // From 1 ns, so that a slip of nothing is reported as nothing.
        return new Histogram(1, HIGHEST, DIGITS);
    }
}
