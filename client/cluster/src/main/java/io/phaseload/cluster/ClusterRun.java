package io.phaseload.cluster;

import io.phaseload.cluster.files.OfferedFiles;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.wire.Message;
import io.phaseload.cluster.wire.MessageForm;
import io.phaseload.engine.Listeners;
import io.phaseload.files.FileProblem;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.plan.share.Part;
import io.phaseload.planfile.PlanFile;
import io.phaseload.result.Agents;
import io.phaseload.result.Result;
import io.phaseload.result.build.AbortWatch;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A plan run by all agents of a coordinator. {@link #run()} is called once; {@link #close()} by any thread, any number
 * of times.
 */
public final class ClusterRun implements AutoCloseable {

    /** Exchanges before the first phase; the first ones are slow, until the code is compiled. */
    private static final int FIRST_BURST = 100;

    /** From the order to start to the start. */
    private static final long LEAD_NANOS = 250_000_000L;

    private static final long SECOND = 1_000_000_000L;

    /** Agents tell of a second when it is over, and that takes a moment. */
    private static final long BEHIND_NANOS = 250_000_000L;

    /** The action of the other agents when an agent is lost. */
    public enum OnAgentLoss {
        /** They go on with their own parts. */
        CONTINUE,
        /** They end the run. */
        ABORT
    }

    private final Coordinator coordinator;
    private final Plan plan;
    private final Duration patience;
    private final Consumer<String> told;
    private final String run = UUID.randomUUID().toString();
    private final AbortWatch abort;
    private final RunListener listener;
    private final IntervalMerger seconds;
    private final Map<String, Instant> begun = new HashMap<>();
    // The ids of two that can't reach each other: both may say so.
    private final Set<Set<String>> apart = new HashSet<>();
    private final List<Agents.Start> starts = new ArrayList<>();
    private final long startNanos = System.nanoTime();
    private final ClockReader clocks;
    private final RunWatch watch;
    // Of the coordinator's thread, as all above but the watch.
    private Optional<OfferedFiles> files = Optional.empty();

    /**
     * A run that hasn't begun.
     *
     * @param coordinator has all the agents that take part
     * @param plan the whole of it
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
        this.patience = patience;
        this.told = told;
        this.clocks = new ClockReader(coordinator, run, startNanos, told);
        this.watch = new RunWatch(coordinator, run, onLoss, patience, told, this::receive);
        this.abort = new AbortWatch(plan, watch::stop);
        this.listener = new Listeners(List.of(listener, abort));
        this.seconds = new IntervalMerger(plan, this.listener);
    }

    /**
     * Checks that a plan can be sent to agents.
     *
     * @param plan any
     * @throws IOException naming a file of the plan's that can't be read, or if all are too large
     * @throws IllegalArgumentException naming what only this JVM can do, or if the plan is too large
     */
    public static void check(Plan plan) throws IOException {
        int bytes = PlanFile.toSharedJson(plan).getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MessageForm.MOST_PLAN_BYTES) {
            throw new IllegalArgumentException("the plan with its bodies: %,d bytes: agents take at most %,d"
                    .formatted(bytes, MessageForm.MOST_PLAN_BYTES));
        }
        OfferedFiles.check(plan);
    }

    /**
     * Runs the plan on all agents, and waits for its end.
     *
     * @throws IOException if no agent could run it, with a message that names them
     * @throws InterruptedException if the thread was interrupted; agents stop
     */
    public Result run() throws IOException, InterruptedException {
        List<Member> members = coordinator.members();
        Instant startedAt = Instant.now();
        order(members);
        measureClocks(FIRST_BURST);
        listener.runStarted(startedAt);
        for (Phase phase : plan.phases()) {
            long began = System.nanoTime();
            watch.await(
                    member -> member.isReady(phase.name()),
                    Optional.of("it wasn't ready for the phase " + phase.name()));
            if (members.stream().noneMatch(member -> takesPart(member, phase))) {
                break;
            }
            Optional<Agents.Wait> last = lastReady(phase, began);
            measureClocks(ClockReader.BURST);
            run(phase, last);
        }
        measureClocks(ClockReader.BURST);
        watch.await(member -> false, Optional.of("it sent no result"));
        members.forEach(member -> coordinator.send(member, new Message.Over(run)));
        abort.close();
        return ClusterResult.of(plan, members, begun, starts, clocks.take(), abort.breach());
    }

    private void order(List<Member> members) throws IOException {
        List<Part> parts =
                PlanSplit.byWeight(members.stream().map(Member::weight).toList());
        OfferedFiles offered = OfferedFiles.of(plan);
        files = Optional.of(offered);
        Map<String, String> variables = plan.scenario().variables(System.getenv());
        // Only all agents together can fail a threshold, and end the run by it.
        Plan judgedLater = plan.withThresholds(List.of());
        List<Message.Dealt> dealt = IntStream.range(0, parts.size())
                .mapToObj(i -> new Message.Dealt(
                        members.get(i).name(),
                        Link.id(members.get(i).address()),
                        parts.get(i).toString()))
                .toList();
        for (int i = 0; i < members.size(); i++) {
            members.get(i).deal(parts.get(i));
            JsonNode own = JsonMapper.shared().readTree(PlanFile.toSharedJson(judgedLater.withPart(parts.get(i))));
            coordinator.send(
                    members.get(i),
                    new Message.RunOrder(run, own, variables, offered.files(), patience.toNanos(), dealt));
        }
    }

    /** Counts from when all could get ready. */
    private Optional<Agents.Wait> lastReady(Phase phase, long began) {
        Optional<Agents.Wait> last = Waits.of(
                coordinator.members().stream()
                        .filter(member -> takesPart(member, phase))
                        .toList(),
                member -> Math.max(began, member.readyAt(phase.name())));
        last.ifPresent(wait -> told.accept("agent %s was ready for the phase %s %.1f s after the others"
                .formatted(wait.agent(), phase.name(), wait.seconds())));
        return last;
    }

    private static boolean takesPart(Member member, Phase phase) {
        return member.active() && member.isReady(phase.name());
    }

    /** Agents' and this machine's, then agents' and each other's. */
    private void measureClocks(int exchanges) throws InterruptedException {
        clocks.askAgents(exchanges);
        watch.await(clocks::hasAnswered, Optional.empty());
        // Those that are done needn't be waited for, but answer at once.
        watch.awaitSoon(clocks::haveAllAnswered);
        clocks.endAgents();
        clocks.askPairs();
        watch.awaitSoon(clocks::areAllCompared);
        clocks.endPairs();
    }

    private void run(Phase phase, Optional<Agents.Wait> lastReady) throws InterruptedException {
        List<Member> taking = coordinator.members().stream()
                .filter(member -> takesPart(member, phase))
                .toList();
        long now = System.nanoTime();
        long at = now + LEAD_NANOS;
        begun.put(phase.name(), Instant.now().plusNanos(LEAD_NANOS));
        for (Member member : taking) {
            long there = member.offset().map(offset -> offset.there(at)).orElse(at);
            coordinator.send(member, new Message.StartPhase(run, phase.name(), there));
        }
        int users = taking.stream().mapToInt(member -> users(member, phase)).sum();
        listener.phaseStarted(phase, users);
        seconds.begin(Duration.ofNanos(at - startNanos));
        long[] tick = {at + SECOND + BEHIND_NANOS};
        watch.await(
                member -> member.wall(phase.name()).isPresent() || !taking.contains(member),
                Optional.of("it reported nothing of the phase " + phase.name()),
                () -> tick[0],
                () -> {
                    seconds.report(phase, Duration.ofNanos(tick[0] - BEHIND_NANOS - at));
                    tick[0] += SECOND;
                });
        Duration wall = taking.stream()
                .map(member -> member.wall(phase.name()))
                .flatMap(Optional::stream)
                .reduce(Duration.ZERO, (a, b) -> a.compareTo(b) > 0 ? a : b);
        Duration reported = Duration.ofNanos(tick[0] - BEHIND_NANOS - SECOND - at);
        seconds.report(phase, wall.compareTo(reported) > 0 ? wall : reported);
        listener.phaseFinished(phase, wall);
        starts.add(ClusterResult.start(phase.name(), at, taking, lastReady));
    }

    private int users(Member member, Phase phase) {
        return plan.withPart(member.part()).users(phase);
    }

    private void receive(Member member, Message message, long at) {
        if (message.isAboutClocks()) {
            clocks.receive(member, message, at);
            return;
        }
        member.progressed(at);
        if (!message.mayBeOf(run)) {
            return;
        }
        if (message instanceof Message.Want want) {
            send(member, want);
        } else if (message instanceof Message.Accepted accepted) {
            member.accepted(accepted);
        } else if (message instanceof Message.Ready ready) {
            member.ready(ready.phase(), at);
        } else if (message instanceof Message.Started started) {
            member.offset()
                    .map(offset -> offset.here(started.at()))
                    .ifPresent(here -> member.started(started.phase(), here));
        } else if (message instanceof Message.SecondDone second) {
            Interval interval = second.interval().interval(plan.scenario());
            Interval added = member.add(interval, begun);
            seconds.add(member.name(), added);
            listener.agentInterval(member.name(), added);
        } else if (message instanceof Message.Finished finished) {
            member.finished(finished.phase(), Duration.ofNanos(finished.wall()));
        } else if (message instanceof Message.Done done) {
            member.done(done);
        } else if (message instanceof Message.GaveUp other) {
            gaveUp(member, other.agent());
        } else if (message instanceof Message.Failed failed) {
            watch.lose(member, failed.why());
        }
    }

    private void gaveUp(Member member, String id) {
        coordinator.members().stream()
                .filter(other -> other.active() && other.id().equals(id) && other != member)
                .filter(other -> apart.add(Set.of(member.id(), id)))
                .forEach(other -> {
                    told.accept("agent %s couldn't reach agent %s for too long: messages between them are lost"
                            .formatted(member.name(), other.name()));
                    coordinator.send(other, new Message.GaveUp(run, member.id()));
                });
    }

    private void send(Member member, Message.Want want) {
        try {
            coordinator.send(member, files.orElseThrow().piece(want));
        } catch (IOException e) {
            watch.lose(member, "it wanted a file that can't be read any more: " + FileProblem.of(e));
        }
    }

    /** Ends the run on all agents, as Ctrl-C does; what was measured is kept. Returns at once. */
    @Override
    public void close() {
        abort.close();
        watch.stop();
    }
}
