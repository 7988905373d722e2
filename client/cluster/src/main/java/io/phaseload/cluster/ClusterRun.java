package io.phaseload.cluster;

import io.phaseload.cluster.wire.Message;
import io.phaseload.cluster.wire.MessageForm;
import io.phaseload.engine.Listeners;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Part;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.result.Agents;
import io.phaseload.result.Result;
import io.phaseload.result.build.AbortWatch;
import io.phaseload.result.json.FileProblem;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A plan run by all agents of a coordinator. {@link #run()} is called once; {@link #close()} by any
 * thread, any number of times.
 */
public final class ClusterRun implements AutoCloseable {

    /** Exchanges before the first phase; the first ones are slow, until the code is compiled. */
    private static final int FIRST_BURST = 100;

    private static final int BURST = 20;

    /** From the order to start to the start. */
    private static final long LEAD_NANOS = 250_000_000L;

    private static final long SECOND = 1_000_000_000L;

    /** Agents tell of a second when it is over, and that takes a moment. */
    private static final long BEHIND_NANOS = 250_000_000L;

    /** People are told when an agent says nothing for longer, which is asked each second. */
    private static final Duration SILENCE = Duration.ofMillis(2_500);

    /** What the others do when an agent is lost. */
    public enum OnAgentLoss {
        /** They go on with their own parts. */
        CONTINUE,
        /** They end the run. */
        ABORT
    }

    private final Coordinator coordinator;
    private final Plan plan;
    private final OnAgentLoss onLoss;
    private final Duration patience;
    private final Consumer<String> told;
    private final String run = UUID.randomUUID().toString();
    private final AbortWatch abort;
    private final RunListener listener;
    private final Seconds seconds;
    private final Map<String, Instant> begun = new HashMap<>();
    private final List<Agents.Start> starts = new ArrayList<>();
    // Of the coordinator's thread, but for the request to stop.
    private Optional<OfferedFiles> files = Optional.empty();
    private boolean stopSent;
    private int wanted;
    private long asked = System.nanoTime();
    private volatile boolean stopAsked;

    /**
     * A run that hasn't begun.
     *
     * @param coordinator has all the agents that take part
     * @param plan the whole of it
     * @param onLoss what becomes of the run when an agent is lost
     * @param patience an agent that says nothing for so long is lost
     * @param listener told of all agents together
     * @param told of what people should know at once, a line each
     */
    public ClusterRun(
            Coordinator coordinator,
            Plan plan,
            OnAgentLoss onLoss,
            Duration patience,
            RunListener listener,
            Consumer<String> told) {
        this.coordinator = coordinator;
        this.plan = plan;
        this.onLoss = onLoss;
        this.patience = patience;
        this.told = told;
        this.abort = new AbortWatch(plan, this::stop);
        this.listener = new Listeners(List.of(listener, abort));
        this.seconds = new Seconds(plan, this.listener);
    }

    /**
     * Checks that a plan can be sent to agents.
     *
     * @param plan any
     * @throws IOException naming a file of the plan's that can't be read, or if all are too large
     * @throws IllegalArgumentException naming what only this JVM can do, or if the plan is too
     *     large
     */
    public static void check(Plan plan) throws IOException {
        int bytes = plan.toSharedJson().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MessageForm.MOST_PLAN_BYTES) {
            throw new IllegalArgumentException(
                    "the plan with its bodies: %,d bytes: agents take at most %,d"
                            .formatted(bytes, MessageForm.MOST_PLAN_BYTES));
        }
        OfferedFiles.check(plan);
    }

    /**
     * Runs the plan on all agents, and waits for its end.
     *
     * @return what all of them measured
     * @throws IOException if no agent could run it, with a message that names them
     * @throws InterruptedException if the thread was interrupted; agents stop
     */
    public Result run() throws IOException, InterruptedException {
        List<Member> members = coordinator.members();
        Instant startedAt = Instant.now();
        long startNanos = System.nanoTime();
        order(members);
        measureClocks(FIRST_BURST);
        listener.runStarted(startedAt);
        for (Phase phase : plan.phases()) {
            long began = System.nanoTime();
            await(
                    member -> member.isReady(phase.name()),
                    Optional.of("it wasn't ready for the phase " + phase.name()));
            if (members.stream().noneMatch(member -> takesPart(member, phase))) {
                break;
            }
            Optional<Agents.Wait> last = lastReady(phase, began);
            measureClocks(BURST);
            run(phase, startNanos, last);
        }
        measureClocks(BURST);
        await(member -> false, Optional.of("it sent no result"));
        members.forEach(member -> coordinator.send(member, new Message.Over(run)));
        abort.close();
        return ClusterResult.of(plan, members, startNanos, begun, starts, abort.breach());
    }

    private void order(List<Member> members) throws IOException {
        List<Part> parts = Split.byWeight(members.stream().map(Member::weight).toList());
        OfferedFiles offered = OfferedFiles.of(plan);
        files = Optional.of(offered);
        Map<String, String> variables =
                plan.scenario()
                        .journeys()
                        .map(journeys -> journeys.filled(System.getenv()))
                        .orElse(Map.of());
        // Only all agents together can fail a threshold, and end the run by it.
        Plan judgedLater = plan.withThresholds(List.of());
        List<Message.Dealt> dealt =
                IntStream.range(0, parts.size())
                        .mapToObj(
                                i ->
                                        new Message.Dealt(
                                                members.get(i).name(),
                                                Link.id(members.get(i).address()),
                                                parts.get(i).toString()))
                        .toList();
        for (int i = 0; i < members.size(); i++) {
            members.get(i).deal(parts.get(i));
            JsonNode own =
                    JsonMapper.shared().readTree(judgedLater.withPart(parts.get(i)).toSharedJson());
            coordinator.send(
                    members.get(i),
                    new Message.Order(
                            run, own, variables, offered.files(), patience.toNanos(), dealt));
        }
    }

    /** Counts from when all could get ready. */
    private Optional<Agents.Wait> lastReady(Phase phase, long began) {
        Optional<Agents.Wait> last =
                Waits.of(
                        coordinator.members().stream()
                                .filter(member -> takesPart(member, phase))
                                .toList(),
                        member -> Math.max(began, member.readyAt(phase.name())));
        last.ifPresent(
                wait ->
                        told.accept(
                                "agent %s was ready for the phase %s %.1f s after the others"
                                        .formatted(wait.agent(), phase.name(), wait.seconds())));
        return last;
    }

    private static boolean takesPart(Member member, Phase phase) {
        return member.active() && member.isReady(phase.name());
    }

    private void measureClocks(int exchanges) throws InterruptedException {
        List<Member> members = coordinator.members().stream().filter(Member::reached).toList();
        wanted = exchanges;
        members.forEach(coordinator::ping);
        await(member -> member.exchanges() >= exchanges, Optional.empty());
        // Those that are done needn't be waited for, but answer at once.
        long limit = System.nanoTime() + SECOND;
        while (members.stream().anyMatch(of -> of.reached() && of.exchanges() < exchanges)
                && System.nanoTime() < limit) {
            coordinator.next(limit).ifPresent(this::handle);
        }
        wanted = 0;
        members.forEach(Member::endBurst);
    }

    private void run(Phase phase, long runStart, Optional<Agents.Wait> lastReady)
            throws InterruptedException {
        List<Member> taking =
                coordinator.members().stream().filter(member -> takesPart(member, phase)).toList();
        long now = System.nanoTime();
        long at = now + LEAD_NANOS;
        begun.put(phase.name(), Instant.now().plusNanos(LEAD_NANOS));
        for (Member member : taking) {
            long there = member.offset().map(offset -> offset.there(at)).orElse(at);
            coordinator.send(member, new Message.Start(run, phase.name(), there));
        }
        int users = taking.stream().mapToInt(member -> users(member, phase)).sum();
        listener.phaseStarted(phase, users);
        seconds.begin(Duration.ofNanos(at - runStart));
        long[] tick = {at + SECOND + BEHIND_NANOS};
        await(
                member -> member.wall(phase.name()).isPresent() || !taking.contains(member),
                Optional.of("it told nothing of the phase " + phase.name()),
                () -> tick[0],
                () -> {
                    seconds.tell(phase, Duration.ofNanos(tick[0] - BEHIND_NANOS - at));
                    tick[0] += SECOND;
                });
        Duration wall =
                taking.stream()
                        .map(member -> member.wall(phase.name()))
                        .flatMap(Optional::stream)
                        .reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
        Duration toldOf = Duration.ofNanos(tick[0] - BEHIND_NANOS - SECOND - at);
        seconds.tell(phase, wall.compareTo(toldOf) > 0 ? wall : toldOf);
        listener.phaseFinished(phase, wall);
        starts.add(ClusterResult.start(phase.name(), at, taking, lastReady));
    }

    private int users(Member member, Phase phase) {
        return plan.withPart(member.part()).users(phase);
    }

    private void await(Predicate<Member> enough, Optional<String> late)
            throws InterruptedException {
        await(enough, late, () -> Long.MAX_VALUE, () -> {});
    }

    /**
     * Handles what happens until all active members are as they should be.
     *
     * @param enough whether no more is to come of a member for now
     * @param late what is said of one of which nothing comes for too long, though it answers; empty
     *     if answers are what is waited for
     * @param tick when something is due by this machine's clock
     * @param due what that is
     */
    private void await(
            Predicate<Member> enough, Optional<String> late, LongSupplier tick, Runnable due)
            throws InterruptedException {
        long began = System.nanoTime();
        while (coordinator.members().stream().anyMatch(of -> of.active() && !enough.test(of))) {
            long now = System.nanoTime();
            long next = tick.getAsLong();
            if (now - asked >= SECOND) {
                asked = now;
                coordinator.members().stream().filter(Member::reached).forEach(coordinator::ping);
            }
            long until = Math.min(next, asked + SECOND);
            Optional<Event> event = coordinator.next(until);
            if (event.isPresent()) {
                handle(event.get());
            } else if (until == next) {
                due.run();
            }
            if (coordinator.idle()) {
                loseTheSilent();
                late.ifPresent(why -> loseTheLate(enough, began, why));
            }
            if (stopAsked && !stopSent) {
                stopSent = true;
                coordinator.members().stream()
                        .filter(Member::active)
                        .forEach(member -> coordinator.send(member, new Message.Stop(run)));
            }
        }
    }

    private void loseTheSilent() {
        long now = System.nanoTime();
        for (Member member : coordinator.members()) {
            if (member.active() && now - member.heard() > patience.toNanos()) {
                giveUp(member, "it said nothing");
            }
        }
    }

    private void handle(Event event) {
        if (event instanceof Event.Gone gone) {
            coordinator
                    .find(gone.member())
                    .filter(Member::active)
                    .ifPresent(member -> gone(member, gone));
        } else if (event instanceof Event.Heard heard) {
            Optional<Member> from = coordinator.find(heard.from());
            if (from.isEmpty()) {
                coordinator.refuse(heard);
            } else if (from.get().active()
                    || from.get().lost().isEmpty() && heard.message() instanceof Message.Pong) {
                heard(from.get(), heard.at());
                try {
                    hear(from.get(), heard.message(), heard.at());
                } catch (IllegalArgumentException e) {
                    lose(from.get(), "it sent what can't be: " + e.getMessage());
                }
            }
        }
    }

    private void gone(Member member, Event.Gone gone) {
        if (gone.ended()) {
            lose(member, "it isn't running any more");
        } else if (member.reached()) {
            member.cutOff();
            told.accept(
                    "agent %s can't be reached; it keeps its seconds until it is back, for %d s"
                            .formatted(member.name(), patience.toSeconds()));
        }
    }

    private void heard(Member member, long at) {
        Duration silence = Duration.ofNanos(at - member.heard());
        if (!member.reached() || silence.compareTo(SILENCE) > 0) {
            told.accept(
                    "agent %s is back: nothing was heard of it for %.1f s"
                            .formatted(member.name(), silence.toNanos() / 1e9));
        }
        member.heard(at);
    }

    private void hear(Member member, Message message, long at) {
        if (!(message instanceof Message.Pong)) {
            member.progressed(at);
        }
        if (message instanceof Message.Pong pong) {
            if (member.exchanges() < wanted) {
                member.add(pong, at);
                coordinator.ping(member);
            }
        } else if (message instanceof Message.Want want && want.run().equals(run)) {
            send(member, want);
        } else if (message instanceof Message.Accepted accepted && accepted.run().equals(run)) {
            member.accepted(accepted);
        } else if (message instanceof Message.Ready ready && ready.run().equals(run)) {
            member.ready(ready.phase(), at);
        } else if (message instanceof Message.Started started && started.run().equals(run)) {
            member.offset()
                    .map(offset -> offset.here(started.at()))
                    .ifPresent(here -> member.started(started.phase(), here));
        } else if (message instanceof Message.Second second && second.run().equals(run)) {
            Interval interval = second.interval().interval(plan.scenario());
            seconds.add(member.add(interval, begun));
        } else if (message instanceof Message.Finished finished && finished.run().equals(run)) {
            member.finished(finished.phase(), Duration.ofNanos(finished.wall()));
        } else if (message instanceof Message.Done done && done.run().equals(run)) {
            member.done(done);
        } else if (message instanceof Message.Failed failed && failed.run().equals(run)) {
            lose(member, failed.why());
        }
    }

    private void loseTheLate(Predicate<Member> enough, long began, String why) {
        long now = System.nanoTime();
        for (Member member : coordinator.members()) {
            long since = Math.max(began, member.progressed());
            if (member.active() && !enough.test(member) && now - since > patience.toNanos()) {
                giveUp(member, why);
            }
        }
    }

    private void giveUp(Member member, String why) {
        coordinator.send(member, new Message.Stop(run));
        lose(member, "%s for %d s".formatted(why, patience.toSeconds()));
    }

    private void send(Member member, Message.Want want) {
        try {
            coordinator.send(member, files.orElseThrow().piece(want));
        } catch (IOException e) {
            lose(member, "it wanted a file that can't be read any more: " + FileProblem.of(e));
        }
    }

    private void lose(Member member, String why) {
        member.lose(why);
        told.accept("agent %s is lost: %s".formatted(member.name(), why));
        if (onLoss == OnAgentLoss.ABORT) {
            stop();
        }
    }

    private void stop() {
        stopAsked = true;
        coordinator.wake();
    }

    /** Ends the run on all agents, as Ctrl-C does; what was measured is kept. Returns at once. */
    @Override
    public void close() {
        abort.close();
        stop();
    }
}
