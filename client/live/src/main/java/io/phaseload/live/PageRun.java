package io.phaseload.live;

import io.phaseload.host.HostFigure;
import io.phaseload.measure.Interval;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Plan;
import io.phaseload.report.tables.FigureTitle;
import io.phaseload.report.tables.Percentiles;
import io.phaseload.result.ChangedLoad;
import io.phaseload.run.LoadEvent;
import io.phaseload.run.RunListener;
import io.phaseload.schedule.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A run as its page shows it; in a sweep, one trial. */
final class PageRun implements RunListener {

    private static final Duration EVERY = Duration.ofSeconds(2);

    private final LivePage page;
    private final Viewers viewers;
    private final Plan plan;
    private final String step;
    private final SecondJson seconds;
    private final OperationSums sums;
    private final Map<String, ObjectNode> agents = new TreeMap<>();
    private Duration since = EVERY;
    private int users;
    private Phase current;
    private Optional<Duration> began = Optional.empty();
    private ObjectNode last = SecondJson.object();
    private String lastPhase = "";

    PageRun(LivePage page, Viewers viewers, Plan plan, String step) {
        this.page = page;
        this.viewers = viewers;
        this.plan = plan;
        this.step = step;
        this.seconds = new SecondJson(plan);
        this.sums = new OperationSums(Operation.namesInResult(plan.scenario().operations()));
    }

    @Override
    public void runStarted(Instant at) {
        ObjectNode json = SecondJson.run(plan, at);
        json.put("target", page.target());
        json.put("step", step);
        ObjectNode titles = json.putObject("titles");
        HostFigure.names().forEach(name -> titles.put(name, FigureTitle.of(name)));
        plan.measuredPhases().forEach(json.withArray("measured")::add);
        viewers.restart("run", json.toString());
    }

    @Override
    public void phaseStarted(Phase phase, int count) {
        users = count;
        current = phase;
        began = Optional.empty();
    }

    @Override
    public void loadChanged(LoadEvent event) {
        viewers.keep("change", JsonMapper.shared().writeValueAsString(ChangedLoad.of(event)));
    }

    @Override
    public void interval(Interval interval) {
        Histogram times = SecondJson.times(interval);
        ObjectNode json = seconds.of(interval, users, times);
        load(json, interval);
        ArrayNode heat = json.putArray("heat");
        Percentiles.cells(times).forEach((cell, count) -> heat.add(cell).add(count));
        viewers.keep("second", json.toString());
        sums.add(interval);
        since = since.plus(interval.length());
        if (viewers.connected() > 0) {
            if (since.compareTo(EVERY) >= 0) {
                since = Duration.ZERO;
                viewers.send("operations", sums.json());
                agents();
            }
            page.judge().perhaps();
        }
    }

    /** The requested load: the planned one, unless it was changed. */
    private void load(ObjectNode json, Interval interval) {
        Duration from = began.orElse(interval.start());
        began = Optional.of(from);
        ObjectNode now = page.control().load();
        json.set("load", now);
        // An interval ends at a change: its own load is the one before.
        ObjectNode load = lastPhase.equals(interval.phase()) ? last : now;
        last = now;
        lastPhase = interval.phase();
        json.put("users", load.path("users").asInt(users));
        if (current != null && current.load() instanceof Load.Open open) {
            String rate = load.path("rate").asString("");
            double planned =
                    open.schedule().perSecond(interval.start().minus(from).toNanos());
            double asked = rate.isEmpty() || rate.equals("0/s")
                    ? planned
                    : Rate.parse(rate).perSecond();
            json.put("offered", load.path("paused").asBoolean(false) ? 0 : asked);
        }
    }

    @Override
    public void agentInterval(String agent, Interval interval) {
        ObjectNode all = agents.computeIfAbsent(
                agent,
                name -> SecondJson.object().put("name", name).put("requests", 0).put("failed", 0));
        ObjectNode last = seconds.of(interval, 0, SecondJson.times(interval));
        all.put(
                "requests",
                all.path("requests").asLong() + last.path("requests").asLong());
        all.put("failed", all.path("failed").asLong() + last.path("failed").asLong());
        all.put("requestsPerSecond", last.path("requestsPerSecond").asDouble());
        all.put("phase", interval.phase());
        all.set("response", last.path("response"));
        all.set("client", last.path("client"));
    }

    private void agents() {
        if (!agents.isEmpty()) {
            ArrayNode all = JsonMapper.shared().createArrayNode();
            agents.values().forEach(all::add);
            viewers.send("agents", all.toString());
        }
    }

    @Override
    public void phaseFinished(Phase phase, Duration wall) {
        page.judge().now();
    }
}
