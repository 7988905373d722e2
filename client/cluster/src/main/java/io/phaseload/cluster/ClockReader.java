package io.phaseload.cluster;

import io.phaseload.cluster.agent.AgentSettings;
import io.phaseload.cluster.clock.ChronyReader;
import io.phaseload.cluster.clock.ClockExchange;
import io.phaseload.cluster.clock.ClockOffset;
import io.phaseload.cluster.clock.ClockReading;
import io.phaseload.cluster.clock.TimeService;
import io.phaseload.cluster.clock.WallClock;
import io.phaseload.cluster.wire.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Compares the clocks of a coordinator's agents with its own, then with each other's. It receives the agents' answers,
 * and the end of the time for them. For the coordinator's thread.
 */
final class ClockReader {

    /** Exchanges of a pair that follow each other. */
    static final int BURST = 20;

    /** A machine's own time of day. */
    private record Said(String name, WallClock wall, Optional<TimeService> kept) {

        static Said of(Member member) {
            return new Said(member.name(), member.wall(), member.kept());
        }
    }

    /** The first one asks the second one. */
    private record AskedPair(Member asks, Member answers) {

        boolean isReached() {
            return asks.reached() && answers.reached();
        }
    }

    private final Coordinator coordinator;
    private final String run;
    private final long start;
    private final Consumer<String> told;
    private final ChronyReader chrony = new ChronyReader();
    private final List<ClockReading> readings = new ArrayList<>();
    private final Set<AskedPair> missing = new HashSet<>();
    private List<Member> asked = List.of();
    private int wanted;
    private boolean toldOfMany;

    /**
     * A reader that hasn't asked anybody.
     *
     * @param run unique, so that answers to earlier questions are known
     * @param start the time when its readings' time begins, as {@link System#nanoTime()}
     * @param told of what people should know, a line each
     */
    ClockReader(Coordinator coordinator, String run, long start, Consumer<String> told) {
        this.coordinator = coordinator;
        this.run = run;
        this.start = start;
        this.told = told;
    }

    /** Asks all agents that can be reached, so many times, one after the other. */
    void askAgents(int exchanges) {
        asked = coordinator.members().stream().filter(Member::reached).toList();
        wanted = exchanges;
        asked.forEach(coordinator::ping);
    }

    /** Whether an agent has answered all that it was asked. */
    boolean hasAnswered(Member member) {
        return member.exchanges() >= wanted;
    }

    /** Whether nobody's answers are awaited any more. */
    boolean haveAllAnswered() {
        return asked.stream().allMatch(member -> !member.reached() || hasAnswered(member));
    }

    /**
     * Reads what was answered so far, also by those that were back too late to be asked; later answers are nobody's.
     */
    void endAgents() {
        wanted = 0;
        Said here = new Said(AgentSettings.COORDINATOR, WallClock.read(), chrony.last());
        for (Member member : coordinator.members()) {
            if (member.exchanges() > 0) {
                member.endBurst();
                ClockOffset offset = member.offset().orElseThrow();
                add(Said.of(member), here, offset.measured(), offset);
            }
        }
    }

    /**
     * Has agents that can be reached compare their clocks, each pair once: the first one asks those behind it. There
     * are no pairs of more than {@link ClockWatch#MOST_COMPARED}.
     */
    void askPairs() {
        List<Member> there = asked.stream().filter(Member::reached).toList();
        missing.clear();
        if (there.size() > ClockWatch.MOST_COMPARED) {
            warnOfMany(there.size());
            return;
        }
        for (int i = 0; i + 1 < there.size(); i++) {
            Member asks = there.get(i);
            List<Member> others = there.subList(i + 1, there.size());
            others.forEach(other -> missing.add(new AskedPair(asks, other)));
            coordinator.send(
                    asks,
                    new Message.Compare(run, others.stream().map(Member::id).toList(), BURST));
        }
    }

    private void warnOfMany(int agents) {
        if (!toldOfMany) {
            toldOfMany = true;
            told.accept(
                    "the clocks of %d agents are compared with the coordinator's alone: with each other's only up to %d"
                            .formatted(agents, ClockWatch.MOST_COMPARED));
        }
    }

    /** Whether no pair's clocks are awaited any more. */
    boolean areAllCompared() {
        return missing.stream().noneMatch(AskedPair::isReached);
    }

    /** Has agents end with what they know so far, which is read when it comes. */
    void endPairs() {
        missing.stream()
                .map(AskedPair::asks)
                .distinct()
                .forEach(asks -> coordinator.send(asks, new Message.Compare(run, List.of(), 0)));
    }

    /**
     * An agent answered at a time of this machine's clock, or told of its exchanges with another. Other messages aren't
     * for this.
     */
    void receive(Member from, Message message, long at) {
        if (message instanceof Message.ClockPong pong) {
            if (!hasAnswered(from)) {
                from.add(pong, at);
                if (!hasAnswered(from)) {
                    coordinator.ping(from);
                }
            }
        } else if (message instanceof Message.Compared compared
                && compared.run().equals(run)) {
            coordinator.members().stream()
                    .filter(other -> other.id().equals(compared.agent()))
                    .findFirst()
                    .ifPresent(other -> add(from, other, compared.exchanges()));
        }
    }

    private void add(Member asks, Member answers, List<ClockExchange> exchanges) {
        missing.remove(new AskedPair(asks, answers));
        ClockOffset offset = ClockOffset.of(exchanges);
        asks.offset()
                .map(own -> own.here(offset.measured()))
                .ifPresent(at -> add(Said.of(answers), Said.of(asks), at, offset));
    }

    private void add(Said of, Said against, long at, ClockOffset offset) {
        readings.add(new ClockReading(
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

    /** All readings since they were last taken, in order. */
    List<ClockReading> take() {
        List<ClockReading> all = List.copyOf(readings);
        readings.clear();
        return all;
    }
}
