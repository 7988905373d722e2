package io.phaseload.cluster;

import io.phaseload.cluster.clock.ClockOffset;
import io.phaseload.cluster.wire.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Compares the clocks of all agents with the coordinator's, again and again, without any load.
 * {@link #run()} is called once; {@link #close()} by any thread, any number of times.
 */
public final class ClockWatch implements AutoCloseable {

    /** Exchanges each time. */
    public static final int BURST = 20;

    private static final long MOST_NANOS = 2_000_000_000L;

    /**
     * What exchanges prove of an agent's clocks at a time.
     *
     * @param agent its name
     * @param seconds since the beginning
     * @param offset of its {@link System#nanoTime()}: by how much it is ahead
     * @param wallAhead by how many nanoseconds its time of day is ahead, in the middle
     * @param wallError how far that may be from the truth
     */
    public record Reading(
            String agent, double seconds, ClockOffset offset, long wallAhead, long wallError) {}

    private final Coordinator coordinator;
    private final Duration duration;
    private final Duration every;
    private final Consumer<List<Reading>> heard;
    private final Consumer<String> told;
    private volatile boolean closed;

    /**
     * A watch that hasn't begun.
     *
     * @param coordinator has all the agents
     * @param duration how long it takes
     * @param every how often they are asked
     * @param heard gets what was read each time, of all agents that answered
     * @param told of what people should know at once, a line each
     */
    public ClockWatch(
            Coordinator coordinator,
            Duration duration,
            Duration every,
            Consumer<List<Reading>> heard,
            Consumer<String> told) {
        this.coordinator = coordinator;
        this.duration = duration;
        this.every = every;
        this.heard = heard;
        this.told = told;
    }

    /**
     * Reads clocks until the time is over, or it is closed.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    public void run() throws InterruptedException {
        long start = System.nanoTime();
        long end = start + duration.toNanos();
        for (long next = start; next - end < 0 && !closed; next += every.toNanos()) {
            until(next, false);
            List<Member> asked = coordinator.members().stream().filter(Member::reached).toList();
            if (asked.isEmpty()) {
                return;
            }
            asked.forEach(coordinator::ping);
            until(System.nanoTime() + Math.min(MOST_NANOS, every.toNanos()), true);
            heard.accept(
                    asked.stream()
                            .map(member -> reading(member, start))
                            .flatMap(Optional::stream)
                            .toList());
        }
    }

    /** Handles what happens until a time, or until all have answered. */
    private void until(long time, boolean asking) throws InterruptedException {
        while (!closed && time - System.nanoTime() > 0 && !(asking && allAnswered())) {
            Optional<Event> event = coordinator.next(time);
            if (event.isPresent() && event.get() instanceof Event.Gone gone) {
                coordinator.find(gone.member()).ifPresent(member -> lose(member, gone.ended()));
            } else if (event.isPresent() && event.get() instanceof Event.Heard of) {
                Optional<Member> member = coordinator.find(of.from());
                if (member.isEmpty()) {
                    coordinator.refuse(of);
                } else if (of.message() instanceof Message.Pong pong) {
                    member.get().heard(of.at());
                    if (asking && member.get().exchanges() < BURST) {
                        member.get().add(pong, of.at());
                        coordinator.ping(member.get());
                    }
                }
            }
        }
    }

    private boolean allAnswered() {
        return coordinator.members().stream()
                .allMatch(member -> !member.reached() || member.exchanges() >= BURST);
    }

    private void lose(Member member, boolean ended) {
        if (member.reached()) {
            told.accept(
                    "agent %s %s"
                            .formatted(
                                    member.name(),
                                    ended ? "isn't running any more" : "can't be reached"));
        }
        if (ended) {
            member.lose("it isn't running any more");
        } else {
            member.cutOff();
        }
    }

    private static Optional<Reading> reading(Member member, long start) {
        if (member.exchanges() == 0) {
            return Optional.empty();
        }
        member.endBurst();
        ClockOffset offset = member.offset().orElseThrow();
        WallClock here = WallClock.read();
        WallClock there = member.wall();
        return Optional.of(
                new Reading(
                        member.name(),
                        (offset.measured() - start) / 1e9,
                        offset,
                        offset.middle() + there.epoch() - here.epoch(),
                        offset.error(offset.measured()) + there.error() + here.error()));
    }

    /** Ends the watch early. Returns at once. */
    @Override
    public void close() {
        closed = true;
        coordinator.wake();
    }
}
