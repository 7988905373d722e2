package io.phaseload.cluster;

import io.phaseload.cluster.clock.ClockOffset;
import io.phaseload.cluster.clock.TimeService;
import io.phaseload.cluster.wire.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Compares the clocks of all agents with the coordinator's and with each other, again and again,
 * without any load. {@link #run()} is called once; {@link #close()} by any thread, any number of
 * times.
 */
public final class ClockWatch implements AutoCloseable {

    /** Exchanges of each pair each time. */
    public static final int BURST = 20;

    /** The coordinator's name among those of agents. */
    public static final String COORDINATOR = "coordinator";

    /** More agents aren't compared with each other: there are too many pairs. */
    public static final int MOST_COMPARED = 10;

    private static final long MOST_NANOS = 2_000_000_000L;

    /**
     * What exchanges prove of two clocks at a time.
     *
     * @param of whose clock
     * @param against whose clock it is compared with, which asked
     * @param seconds since the beginning
     * @param offset of {@link System#nanoTime()}: by how much the first is ahead
     * @param wallAhead by how many nanoseconds its time of day is ahead, in the middle
     * @param wallError how far that may be from the truth
     * @param kept by how much it is ahead as chrony says on both machines, if it does
     */
    public record Reading(
            String of,
            String against,
            double seconds,
            ClockOffset offset,
            long wallAhead,
            long wallError,
            Optional<TimeService> kept) {}

    /** What a machine says of its own time of day. */
    private record Said(String name, WallClock wall, Optional<TimeService> kept) {

        static Said of(Member member) {
            return new Said(member.name(), member.wall(), member.kept());
        }
    }

    private final Coordinator coordinator;
    private final Duration duration;
    private final Duration every;
    private final Consumer<List<Reading>> heard;
    private final Consumer<String> told;
    private final Chrony chrony = new Chrony();
    private final List<Reading> readings = new ArrayList<>();
    private final long start = System.nanoTime();

    /** Whether answers are awaited; later ones are nobody's. */
    private boolean asking;

    private volatile boolean closed;

    /**
     * A watch that hasn't begun.
     *
     * @param coordinator has all the agents
     * @param duration how long it takes
     * @param every how often they are asked
     * @param heard gets what was read each time, of all pairs that answered
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
        long end = System.nanoTime() + duration.toNanos();
        for (long next = System.nanoTime(); next - end < 0 && !closed; next += every.toNanos()) {
            until(next, () -> false);
            List<Member> asked = coordinator.members().stream().filter(Member::reached).toList();
            if (asked.isEmpty()) {
                return;
            }
            readings.clear();
            compareWithCoordinator(asked);
            if (asked.size() <= MOST_COMPARED) {
                compareWithEachOther(asked);
            }
            heard.accept(List.copyOf(readings));
        }
    }

    private void compareWithCoordinator(List<Member> asked) throws InterruptedException {
        asking = true;
        asked.forEach(coordinator::ping);
        until(
                limit(),
                () -> asked.stream().allMatch(of -> !of.reached() || of.exchanges() >= BURST));
        asking = false;
        Said here = new Said(COORDINATOR, WallClock.read(), chrony.last());
        for (Member member : asked) {
            if (member.exchanges() > 0) {
                member.endBurst();
                ClockOffset offset = member.offset().orElseThrow();
                add(Said.of(member), here, offset.measured(), offset);
            }
        }
    }

    /** Each pair once: the first one asks those behind it. */
    private void compareWithEachOther(List<Member> asked) throws InterruptedException {
        int before = readings.size();
        for (int i = 0; i + 1 < asked.size(); i++) {
            List<String> others =
                    asked.subList(i + 1, asked.size()).stream().map(Member::name).toList();
            coordinator.send(asked.get(i), new Message.Compare(others, BURST));
        }
        int pairs = asked.size() * (asked.size() - 1) / 2;
        until(limit(), () -> readings.size() - before >= pairs);
    }

    private long limit() {
        return System.nanoTime() + Math.min(MOST_NANOS, every.toNanos());
    }

    private void add(Said of, Said against, long at, ClockOffset offset) {
        readings.add(
                new Reading(
                        of.name(),
                        against.name(),
                        (at - start) / 1e9,
                        offset,
                        offset.middle() + of.wall().epoch() - against.wall().epoch(),
                        offset.error(offset.measured())
                                + of.wall().error()
                                + against.wall().error(),
                        of.kept().flatMap(ahead -> against.kept().map(ahead::minus))));
    }

    /** Handles what happens until a time, or until it is enough. */
    private void until(long time, BooleanSupplier enough) throws InterruptedException {
        while (!closed && time - System.nanoTime() > 0 && !enough.getAsBoolean()) {
            Optional<Event> event = coordinator.next(time);
            if (event.isPresent() && event.get() instanceof Event.Gone gone) {
                coordinator.find(gone.member()).ifPresent(member -> lose(member, gone.ended()));
            } else if (event.isPresent() && event.get() instanceof Event.Heard of) {
                coordinator
                        .find(of.from())
                        .ifPresentOrElse(
                                member -> hear(member, of.message(), of.at()),
                                () -> coordinator.refuse(of));
            }
        }
    }

    private void hear(Member from, Message message, long at) {
        from.heard(at);
        if (message instanceof Message.Pong pong && asking && from.exchanges() < BURST) {
            from.add(pong, at);
            if (from.exchanges() < BURST) {
                coordinator.ping(from);
            }
        } else if (message instanceof Message.Compared compared) {
            coordinator.members().stream()
                    .filter(other -> other.name().equals(compared.agent()))
                    .findFirst()
                    .ifPresent(
                            other ->
                                    add(
                                            Said.of(other),
                                            Said.of(from),
                                            at,
                                            ClockOffset.of(compared.exchanges())));
        }
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

    /** Ends the watch early. Returns at once. */
    @Override
    public void close() {
        closed = true;
        coordinator.wake();
    }
}
