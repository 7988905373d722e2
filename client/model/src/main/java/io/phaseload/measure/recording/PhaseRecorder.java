package io.phaseload.measure.recording;

import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Records the samples of all users of one phase. Thread-safe.
 *
 * <p>Users are spread over a few stripes, each with its own lock, so that memory doesn't grow with users and locks are
 * rarely contended: each is held for some tens of nanoseconds.
 */
public final class PhaseRecorder {

    /** More would take memory without reducing contention. */
    private static final int MAX_STRIPES = 16;

    private final Stripe[] stripes;
    private final Recorder sums;
    // Guarded by sums.
    private List<Tally> spare;

    /**
     * Creates an empty recorder.
     *
     * @param operations the number of tallies: one an operation, then what is timed as a whole
     */
    public PhaseRecorder(int operations) {
        this(operations, Optional.empty());
    }

    /**
     * Creates an empty recorder.
     *
     * @param operations the number of tallies: one an operation, then what is timed as a whole
     * @param log receives each request; empty if none is asked for
     */
    public PhaseRecorder(int operations, Optional<RequestLog> log) {
        int processors = Runtime.getRuntime().availableProcessors();
        int count = Math.min(MAX_STRIPES, Integer.highestOneBit(processors) * 2);
        stripes = Stream.generate(() -> new Stripe(count, operations, log))
                .limit(count)
                .toArray(Stripe[]::new);
        sums = new Recorder(operations, this::drain, () -> Stream.of(stripes)
                .map(Stripe::sampler)
                .toList());
        spare = Tallies.newList(operations);
    }

    /**
     * Records a sample of what is no request.
     *
     * @param user the index of the user that it is of, which selects the stripe
     * @param sample the sample
     */
    public void record(int user, Sample sample) {
        stripe(user).record(sample);
    }

    /**
     * Records a sample.
     *
     * @param user the index of the user that sent it, which selects the stripe
     * @param sample the sample
     * @param sender tells of its request, if it is to be kept
     */
    public void record(int user, Sample sample, KeptRequest.Sender sender) {
        stripe(user).record(user, sample, sender);
    }

    /**
     * Records a time that isn't a request's.
     *
     * @param user the index of the user, which selects the stripe
     * @param operation the index of the operation that it belongs to
     * @param timing the timing
     * @param nanos its length
     */
    public void record(int user, int operation, Timing timing, long nanos) {
        stripe(user).record(operation, timing, nanos);
    }

    private Stripe stripe(int user) {
        return stripes[user & (stripes.length - 1)];
    }

    private void drain(List<Tally> interval) {
        for (Stripe stripe : stripes) {
            // Users wait only for the swap, not for the addition.
            spare = stripe.swap(spare);
            Tallies.addEach(interval, spare);
            spare.forEach(Tally::reset);
        }
    }

    /** {@return the sums of all stripes} */
    public Recorder sums() {
        return sums;
    }

    private static final class Stripe {

        private final ReentrantLock lock = new ReentrantLock();
        // Guarded by lock, like the sampler: where samples go now.
        private List<Tally> active;

        private final RequestSampler sampler;

        Stripe(int stripes, int operations, Optional<RequestLog> log) {
            active = Tallies.newList(operations);
            sampler = new RequestSampler(stripes, operations, 1, log);
        }

        RequestSampler sampler() {
            lock.lock();
            try {
                return sampler;
            } finally {
                lock.unlock();
            }
        }

        void record(Sample sample) {
            lock.lock();
            try {
                active.get(sample.operation()).add(sample);
            } finally {
                lock.unlock();
            }
        }

        void record(int user, Sample sample, KeptRequest.Sender sender) {
            lock.lock();
            try {
                active.get(sample.operation()).add(sample, sender);
                sampler.add(user, sample, sender);
            } finally {
                lock.unlock();
            }
        }

        void record(int operation, Timing timing, long nanos) {
            lock.lock();
            try {
                active.get(operation).add(timing, nanos);
            } finally {
                lock.unlock();
            }
        }

        List<Tally> swap(List<Tally> empty) {
            lock.lock();
            try {
                List<Tally> full = active;
                active = empty;
                return full;
            } finally {
                lock.unlock();
            }
        }
    }
}
