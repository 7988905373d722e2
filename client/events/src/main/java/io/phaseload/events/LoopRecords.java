package io.phaseload.events;

import io.phaseload.engine.PhaseRun;
import io.phaseload.events.connection.LoopContext;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.RequestLog;
import io.phaseload.measure.recording.RequestSampler;
import io.phaseload.timing.Timing;
import java.util.List;
import java.util.Optional;

/** The records of one loop in one phase. Used by the loop's thread alone, but for {@link LagWatch#lag()}. */
public final class LoopRecords {

    private final LoopContext context;
    private final LagWatch lag;
    private final RequestSampler sampler;
    private List<Tally> tallies;

    /**
     * Creates empty records.
     *
     * @param loops the number of loops that share the phase's users
     * @param sharing the number of users that share a connection; 0 if they take turns
     * @param log receives each request; empty if none is asked for
     */
    public LoopRecords(PhaseRun phase, LoopContext context, int loops, int sharing, Optional<RequestLog> log) {
        int count = phase.settings().tallies();
        this.context = context;
        this.lag = new LagWatch(context);
        this.sampler = new RequestSampler(loops, count, sharing, log);
        this.tallies = Tallies.newList(count);
    }

    LoopContext context() {
        return context;
    }

    public LagWatch lag() {
        return lag;
    }

    /** Records what is timed as a whole. */
    void add(Sample sample) {
        tallies.get(sample.operation()).add(sample);
    }

    /** Records a request of a user, or a message of a pair. */
    public void add(int user, Sample sample, KeptRequest.Sender sender) {
        tallies.get(sample.operation()).add(sample, sender);
        sampler.add(user, sample, sender);
    }

    /** Records a time that isn't a request's. */
    void add(int operation, Timing timing, long nanos) {
        tallies.get(operation).add(timing, nanos);
    }

    /** The tally of an operation, until the next time that they are taken. */
    public Tally tally(int operation) {
        return tallies.get(operation);
    }

    /** Its sample of requests, when all users have ended. */
    RequestSampler sampler() {
        return sampler;
    }

    List<Tally> take() {
        List<Tally> full = tallies;
        tallies = full.stream().map(Tally::next).toList();
        return full;
    }
}
