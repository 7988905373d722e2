package io.phaseload.user;

import io.phaseload.journey.Instruction;
import io.phaseload.journey.Program;
import io.phaseload.journey.Session;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.TraceContext;
import io.phaseload.plan.Pause;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A journey in each iteration: which request comes next depends on the responses before. */
final class JourneyCourse implements Course {

    /** No request of a group has been sent. */
    private static final long NONE = Long.MIN_VALUE;

    private final JourneyPhase phase;
    private final Session session;
    private final SplittableRandom random;
    private final JourneyPhase.Recording recording;
    private final @Nullable Traces traces;
    // By the index of what is timed: when its first request was due, and its first failure.
    private final long[] dueNanos;
    private final Outcome[] failures;

    private int journey;
    private Program program;
    private int next;
    private int[] counters = {};
    private Instruction.Send current;
    // What is sent now: the step's own, or one that is added to it.
    private int operation;
    private int retries;
    private long settled;
    private long endNanos;
    private long restNanos;

    JourneyCourse(
            JourneyPhase phase,
            Session session,
            SplittableRandom random,
            JourneyPhase.Recording recording,
            @Nullable Traces traces) {
        this.phase = phase;
        this.session = session;
        this.random = random;
        this.recording = recording;
        this.traces = traces;
        this.dueNanos = new long[phase.timed()];
        this.failures = new Outcome[phase.timed()];
    }

    @Override
    public long begin(long turn, long left) {
        journey = phase.journey(turn);
        program = phase.program(journey);
        if (counters.length < program.counters()) {
            counters = new int[program.counters()];
        }
        next = 0;
        settled = 0;
        restNanos = 0;
        Arrays.fill(dueNanos, NONE);
        Arrays.fill(failures, null);
        if (!session.begin(program)) {
            phase.notSent(UnsentReason.NO_DATA, left * program.requests());
            return OVER;
        }
        if (traces != null) {
            traces.begin(turn);
        }
        return advance();
    }

    /** Goes on to the next request; returns the pause before it. */
    private long advance() {
        long pause = 0;
        while (next < program.length()) {
            Instruction instruction = program.at(next++);
            if (instruction instanceof Instruction.Send send) {
                current = send;
                operation = send.operation();
                retries = 0;
                return pause;
            } else if (instruction instanceof Instruction.ThinkTime think) {
                pause += draw(think.minNanos(), think.maxNanos());
            } else if (instruction instanceof Instruction.Call call) {
                call.action().accept(session);
            } else if (instruction instanceof Instruction.GroupEnd end) {
                record(end.group());
            } else if (instruction instanceof Instruction.RepeatBlock repeat) {
                counters[repeat.counter()] = repeat.times();
            } else if (instruction instanceof Instruction.Again again) {
                if (--counters[again.counter()] > 0) {
                    next = again.to();
                }
            } else if (instruction instanceof Instruction.Unless unless && !unless.holds(session)) {
                next = unless.to();
                settled += unless.requests();
                phase.unasked(unless.requests());
            }
        }
        restNanos = pause;
        return end();
    }

    private long draw(long minNanos, long maxNanos) {
        return minNanos == maxNanos ? minNanos : random.nextLong(minNanos, maxNanos + 1);
    }

    @Override
    public int operation() {
        return operation;
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public @Nullable TraceContext trace() {
        return traces == null ? null : traces.next();
    }

    @Override
    public long answered(long due, Exchange exchange) {
        endRequest();
        begun(journey, due);
        for (int group : current.groups()) {
            begun(group, due);
        }
        endNanos = exchange.endNanos();
        boolean success = exchange.outcome() instanceof Outcome.Success;
        if (!success) {
            session.endFollowing();
        }
        if (session.followUp() != null) {
            operation = program.followUps();
            begun(program.followUpsTimed(), due);
            return 0;
        }
        Outcome outcome =
                success ? Outcome.SUCCESS : failure(exchange.outcome().cause().key());
        endChain(outcome);
        if (success) {
            return settle();
        }
        return retries < current.onFailure().retries() ? retry() : failed(outcome);
    }

    /** One that the plan doesn't have is counted when it is over. */
    private void endRequest() {
        if (operation != current.operation()) {
            phase.added();
        }
    }

    private long retry() {
        retries++;
        operation = program.retries();
        Pause after = current.onFailure().after();
        return draw(after.min().toNanos(), after.max().toNanos());
    }

    /** No response asks for more: a request is over, with those that followed from it. */
    private void endChain(Outcome outcome) {
        int timed = program.followUpsTimed();
        if (timed < dueNanos.length && dueNanos[timed] != NONE) {
            failures[timed] = outcome == Outcome.SUCCESS ? null : outcome;
            record(timed);
        }
    }

    private void begun(int timed, long due) {
        if (dueNanos[timed] == NONE) {
            dueNanos[timed] = due;
        }
    }

    @Override
    public long refused() {
        phase.notSent(UnsentReason.UNSAFE_VALUE, 1);
        Outcome failure = failure("not sent");
        endRequest();
        session.endFollowing();
        endChain(failure);
        return failed(failure);
    }

    private Outcome failure(String cause) {
        return new Outcome.StepFailure(current.name(), cause);
    }

    private long failed(Outcome failure) {
        fail(journey, failure);
        for (int group : current.groups()) {
            fail(group, failure);
        }
        if (!current.onFailure().ends()) {
            return settle();
        }
        long unsent = program.requests() - settled - 1;
        if (unsent > 0) {
            phase.notSent(UnsentReason.EARLIER_STEP, unsent);
        }
        for (int group : current.groups()) {
            record(group);
        }
        return end();
    }

    private long end() {
        record(journey);
        session.end();
        return OVER;
    }

    private void fail(int timed, Outcome failure) {
        if (failures[timed] == null) {
            failures[timed] = failure;
        }
    }

    private long settle() {
        settled++;
        return advance();
    }

    /** A span that is timed as a whole is over; a span without requests isn't recorded. */
    private void record(int timed) {
        if (dueNanos[timed] != NONE) {
            Outcome outcome = failures[timed] == null ? Outcome.SUCCESS : failures[timed];
            recording.timed(timed, dueNanos[timed], Exchange.ofSteps(dueNanos[timed], endNanos, outcome));
        }
        dueNanos[timed] = NONE;
        failures[timed] = null;
    }

    @Override
    public long restNanos() {
        return restNanos;
    }
}
