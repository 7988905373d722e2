package io.phaseload.cluster.agent;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.cluster.agent.AgentSettings.OnCoordinatorLoss;
import io.phaseload.cluster.files.ReceivedFiles;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.wire.Counts;
import io.phaseload.cluster.wire.IntervalForm;
import io.phaseload.cluster.wire.Message;
import io.phaseload.engine.Listeners;
import io.phaseload.files.FileProblem;
import io.phaseload.host.Daemons;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.planfile.PlanFile;
import io.phaseload.result.Result;
import io.phaseload.result.json.ResultJson;
import io.phaseload.result.store.IntervalFiles;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.run.Partners;
import io.phaseload.run.RunListener;
import io.phaseload.run.StartGate;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jgroups.Address;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One run of an agent: its phases start when the coordinator says so, and the coordinator receives each second.
 * {@link #execute} is called once; the other methods by any thread.
 */
final class AgentRun implements RunListener, StartGate {

    /** The gate opens so long before the start, since threads have to wake up first. */
    private static final long EARLIER_NANOS = 50_000_000L;

    private final Message.RunOrder order;
    private final ReceivedFiles files;
    private final Consumer<Message> coordinator;
    private final OnCoordinatorLoss onLoss;
    private final AgentClock shown;
    private final AgentPartners partners;
    private final Map<String, CompletableFuture<Void>> starts = new ConcurrentHashMap<>();
    private final Map<String, Long> times = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(Daemons.named("cluster-start"));
    // Guarded by this.
    private Optional<ThreadsLoadClient> client = Optional.empty();
    private boolean stopped;
    private Future<?> giveUp = CompletableFuture.completedFuture(null);
    private volatile boolean alone;
    private volatile boolean lostCoordinator;

    AgentRun(
            Message.RunOrder order,
            Consumer<Message> coordinator,
            AgentSettings settings,
            AgentClock shown,
            Link link) {
        this.order = order;
        this.files = new ReceivedFiles(order, coordinator);
        this.coordinator = coordinator;
        this.onLoss = settings.onLoss();
        this.shown = shown;
        this.partners = new AgentPartners(order, settings.name(), coordinator, shown, link);
    }

    /**
     * Runs the plan; the coordinator receives each failure.
     *
     * @return true if the result was sent to a coordinator that isn't known to be lost
     */
    boolean execute(AgentWork work) {
        try (files) {
            Plan plan = PlanFile.ofShared(order.plan().toString());
            files.receive();
            Plan local = files.local(plan);
            ResultFolder folder = work.folder(plan);
            try (IntervalFiles intervals = folder.begin(plan);
                    ThreadsLoadClient own = ThreadsLoadClient.of(local, new Listeners(List.of(intervals, this)))) {
                coordinator.accept(new Message.Accepted(
                        order.run(),
                        folder.path().toAbsolutePath().toString(),
                        JsonMapper.shared()
                                .readTree(Files.readString(folder.path().resolve("result.json")))));
                begin(own);
                // Copies are gone when somebody reads it.
                Result result = own.run(this).withPlan(plan);
                // From now on, it may leave.
                boolean lost = lostCoordinator;
                try {
                    coordinator.accept(new Message.Done(order.run(), json(result)));
                } finally {
                    work.ended(result, folder);
                    if (lost) {
                        work.coordinatorLost();
                    }
                }
                return !lost;
            }
        } catch (IOException | RuntimeException e) {
            coordinator.accept(new Message.Failed(order.run(), FileProblem.of(e)));
            work.failed(FileProblem.of(e));
            return false;
        } finally {
            end();
        }
    }

    private synchronized void end() {
        clock.shutdownNow();
        partners.close();
    }

    private static JsonNode json(Result result) {
        return Counts.only(JsonMapper.shared().readTree(ResultJson.write(result)));
    }

    private synchronized void begin(ThreadsLoadClient own) {
        client = Optional.of(own);
        if (stopped) {
            own.close();
        }
    }

    /** Ends the run early; what was measured is kept. */
    synchronized void stop() {
        stopped = true;
        files.giveUp();
        client.ifPresent(ThreadsLoadClient::close);
    }

    /** The coordinator can't be reached; once it is known that it won't be any more, this run goes on by its policy. */
    synchronized void coordinatorGone(boolean ended) {
        if (ended) {
            coordinatorLost();
        } else if (!clock.isShutdown()) {
            giveUp.cancel(false);
            giveUp = clock.schedule(this::coordinatorLost, order.patience(), TimeUnit.NANOSECONDS);
        }
    }

    private void coordinatorLost() {
        lostCoordinator = true;
        if (onLoss == OnCoordinatorLoss.STOP) {
            stop();
        } else {
            alone = true;
            files.giveUp();
            starts.values().forEach(start -> start.complete(null));
        }
    }

    /** The coordinator says something, if only that it is there. */
    synchronized void received(Message message) {
        giveUp.cancel(false);
        if (clock.isShutdown() || !message.mayBeOf(order.run())) {
            return;
        }
        if (message instanceof Message.StartPhase start) {
            CompletableFuture<Void> gate = gate(start.phase());
            times.put(start.phase(), shown.nanos(start.at()));
            clock.schedule(() -> gate.complete(null), start.at() - EARLIER_NANOS - shown.now(), TimeUnit.NANOSECONDS);
        } else if (message instanceof Message.FilePiece piece) {
            files.received(piece);
        } else if (message instanceof Message.GaveUp other) {
            partners.gaveUp(other.agent());
        } else if (message instanceof Message.Stop) {
            stop();
        }
    }

    private CompletableFuture<Void> gate(String phase) {
        return starts.computeIfAbsent(phase, name -> new CompletableFuture<>());
    }

    @Override
    public CompletionStage<Void> ready(Phase phase) {
        CompletableFuture<Void> gate = gate(phase.name());
        partners.known().thenRun(() -> coordinator.accept(new Message.Ready(order.run(), phase.name())));
        if (alone) {
            gate.complete(null);
        }
        return gate;
    }

    @Override
    public long startAt(Phase phase) {
        return times.getOrDefault(phase.name(), System.nanoTime());
    }

    @Override
    public void started(Phase phase, long nanos) {
        coordinator.accept(new Message.Started(order.run(), phase.name(), shown.shown(nanos)));
    }

    @Override
    public Optional<Partners> partners() {
        return Optional.of(partners);
    }

    /** A member answered about its clock, at a time of this machine's. */
    void received(Address from, Message.ClockPong pong, long at) {
        partners.received(from, pong, at);
    }

    /** A member's engine said something. */
    void received(Address from, Message.PartnerBytes message) {
        partners.received(from, message);
    }

    /** A member has ended. */
    void ended(Address member) {
        partners.ended(member);
    }

    @Override
    public void interval(Interval interval) {
        coordinator.accept(new Message.SecondDone(order.run(), IntervalForm.of(interval)));
    }

    @Override
    public void phaseFinished(Phase phase, Duration wall) {
        coordinator.accept(new Message.Finished(order.run(), phase.name(), wall.toNanos()));
    }
}
