package io.phaseload.cluster;

import io.phaseload.cluster.clock.ClockReading;
import io.phaseload.cluster.wire.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Compares the clocks of all agents with the coordinator's and with each other, again and again, without any load.
 * {@link #run()} is called once; {@link #close()} by any thread, any number of times.
 */
public final class ClockWatch implements AutoCloseable {

    /** More agents aren't compared with each other: there are too many pairs. */
    public static final int MOST_COMPARED = 10;

    private static final long MOST_NANOS = 2_000_000_000L;

    private final Coordinator coordinator;
    private final Duration duration;
    private final Duration every;
    private final Consumer<List<ClockReading>> received;
    private final Consumer<String> told;
    private final ClockReader clocks;
    private volatile boolean closed;

    /**
     * A watch that hasn't begun.
     *
     * @param coordinator has all the agents
     * @param received receives the readings of each time, of all pairs that answered
     * @param told of what people should know at once, a line each
     */
    public ClockWatch(
            Coordinator coordinator,
            Duration duration,
            Duration every,
            Consumer<List<ClockReading>> received,
            Consumer<String> told) {
        this.coordinator = coordinator;
        this.duration = duration;
        this.every = every;
        this.received = received;
        this.told = told;
        this.clocks = new ClockReader(coordinator, UUID.randomUUID().toString(), System.nanoTime(), told);
    }

    /**
     * Reads clocks until the time is over, or it is closed.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    public void run() throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        for (long next = System.nanoTime(); next - end < 0 && !closed; next += every.toNanos()) {
            until(next, () -> false);
            if (coordinator.members().stream().noneMatch(Member::reached)) {
                return;
            }
            clocks.askAgents(ClockReader.BURST);
            until(limit(), clocks::haveAllAnswered);
            clocks.endAgents();
            clocks.askPairs();
            until(limit(), clocks::areAllCompared);
            clocks.endPairs();
            received.accept(clocks.take());
        }
    }

    private long limit() {
        return System.nanoTime() + Math.min(MOST_NANOS, every.toNanos());
    }

    /** Handles what happens until a time, or until it is enough. */
    private void until(long time, BooleanSupplier enough) throws InterruptedException {
        while (!closed && time - System.nanoTime() > 0 && !enough.getAsBoolean()) {
            Optional<Event> event = coordinator.next(time);
            if (event.isPresent() && event.get() instanceof Event.Gone gone) {
                coordinator.find(gone.member()).ifPresent(member -> lose(member, gone.ended()));
            } else if (event.isPresent() && event.get() instanceof Event.MessageReceived of) {
                coordinator
                        .find(of.from())
                        .ifPresentOrElse(
                                member -> receive(member, of.message(), of.at()), () -> coordinator.refuse(of));
            }
        }
    }

    private void receive(Member from, Message message, long at) {
        from.received(at);
        clocks.receive(from, message, at);
    }

    private void lose(Member member, boolean ended) {
        if (member.reached()) {
            told.accept("agent %s %s".formatted(member.name(), ended ? "isn't running any more" : "can't be reached"));
        }
        if (ended) {
            member.lose("it isn't running any more");
        } else {
            member.cutOff();
        }
    }

    /** Ends the watch early. Returns at once. */
    @Override
    public void close() {
        closed = true;
        coordinator.wake();
    }
}
