package io.phaseload.cluster;

import io.phaseload.cluster.clock.ClockExchange;
import io.phaseload.cluster.clock.ClockOffset;
import io.phaseload.cluster.clock.TimeService;
import io.phaseload.cluster.clock.WallClock;
import io.phaseload.cluster.network.Link;
import io.phaseload.cluster.wire.Message;
import io.phaseload.input.Printable;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tally;
import io.phaseload.plan.share.Part;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jgroups.Address;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The coordinator's state of an agent. For the coordinator's thread. */
final class Member {

    private final Address address;
    private final Message.Hello hello;
    private final Map<String, Long> ready = new HashMap<>();
    private final Map<String, Long> starts = new HashMap<>();
    private final Map<String, Duration> walls = new HashMap<>();
    private final List<Interval> intervals = new ArrayList<>();
    private final List<ClockExchange> burst = new ArrayList<>();
    private Optional<ClockOffset> offset = Optional.empty();
    private Part part = Part.WHOLE;
    private Optional<ObjectNode> result = Optional.empty();
    private Optional<String> folder = Optional.empty();
    private Optional<String> lost = Optional.empty();
    private boolean done;
    private long received = System.nanoTime();
    private long progressed = received;
    private boolean reached = true;
    private WallClock wall = new WallClock(0, Long.MAX_VALUE / 4);
    private Optional<TimeService> kept = Optional.empty();

    Member(Address address, Message.Hello hello) {
        this.address = address;
        this.hello = hello;
    }

    /** The same agent, for another run. */
    Member again() {
        return new Member(address, hello);
    }

    Address address() {
        return address;
    }

    /** Its unique id. */
    String id() {
        return Link.id(address);
    }

    String name() {
        return hello.name();
    }

    String host() {
        return Printable.of(hello.host());
    }

    int weight() {
        return hello.weight();
    }

    Part part() {
        return part;
    }

    void deal(Part own) {
        part = own;
        received = System.nanoTime();
    }

    /** When it last said something. */
    long received() {
        return received;
    }

    void received(long at) {
        received = at;
        reached = true;
    }

    /** When it last said something of its run. */
    long progressed() {
        return progressed;
    }

    void progressed(long at) {
        progressed = at;
    }

    /** It left the cluster's view, and may come back. */
    void cutOff() {
        reached = false;
    }

    /** Whether it is in the cluster's view, as far as is known. */
    boolean reached() {
        return reached && lost.isEmpty();
    }

    /** Whether more is to come of it. */
    boolean active() {
        return !done && lost.isEmpty();
    }

    void lose(String why) {
        lost = Optional.of(Printable.of(why));
    }

    /** Why it was lost, if it was. */
    Optional<String> lost() {
        return lost;
    }

    void accepted(Message.Accepted accepted) {
        folder = Optional.of(accepted.folder());
        result = object(accepted.result());
    }

    void done(Message.Done last) {
        result = object(last.result());
        done = true;
    }

    private static Optional<ObjectNode> object(JsonNode json) {
        return json instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
    }

    /** The folder on its own machine, once it has one. */
    Optional<String> folder() {
        return folder;
    }

    void ready(String phase, long at) {
        ready.put(phase, at);
    }

    boolean isReady(String phase) {
        return ready.containsKey(phase);
    }

    /** Since when it is ready for a phase, which it is, by this machine's clock. */
    long readyAt(String phase) {
        return ready.get(phase);
    }

    /** A phase has started there, at a time of this machine's clock. */
    void started(String phase, long at) {
        starts.put(phase, at);
    }

    Optional<Long> start(String phase) {
        return Optional.ofNullable(starts.get(phase));
    }

    void finished(String phase, Duration wall) {
        walls.put(phase, wall);
    }

    Optional<Duration> wall(String phase) {
        return Optional.ofNullable(walls.get(phase));
    }

    /**
     * Adds a second that it reported.
     *
     * @param begun the time when phases began, by this machine's clock
     * @return the same, in which kept requests have the agent's name and this machine's time
     */
    Interval add(Interval interval, Map<String, Instant> begun) {
        interval.operations().forEach(Tally::pack);
        intervals.add(interval);
        Duration ahead = result.map(json -> ahead(json, begun)).orElse(Duration.ZERO);
        Interval own = interval.from("agent " + name(), ahead);
        intervals.set(intervals.size() - 1, own);
        return own;
    }

    List<Interval> intervals() {
        return intervals;
    }

    /** An answer that came at a time of this machine's clock. */
    void add(Message.ClockPong pong, long at) {
        burst.add(pong.exchange(at));
        wall = new WallClock(pong.epoch(), pong.epochError());
        kept = pong.kept();
    }

    int exchanges() {
        return burst.size();
    }

    /** Its time of day, by its last answer. */
    WallClock wall() {
        return wall;
    }

    /** The state of its time service, by its last answer. */
    Optional<TimeService> kept() {
        return kept;
    }

    /** Concludes from what it answered, which is something. */
    void endBurst() {
        offset = Optional.of(ClockOffset.of(burst));
        burst.clear();
    }

    /** By how much its clock is ahead, as last measured; empty before the first measurement. */
    Optional<ClockOffset> offset() {
        return offset;
    }

    /**
     * The content of its {@code result.json}, with the times of this machine's clock: two machines needn't agree on
     * what time it is.
     *
     * @param begun the time when phases began, by this machine's clocks
     */
    Optional<ObjectNode> result(Map<String, Instant> begun) {
        return result.map(json -> corrected(json.deepCopy(), ahead(json, begun)))
                .map(json -> done ? json : known(json));
    }

    /** Of an agent that was lost: what its seconds make, which weren't interrupted by anybody. */
    private ObjectNode known(ObjectNode json) {
        long sent = intervals.stream()
                .flatMap(interval -> interval.operations().stream())
                .mapToLong(Tally::requests)
                .sum();
        json.put("interrupted", false).putObject("totals").put("requests", sent);
        ArrayNode phases = json.putArray("phases");
        for (JsonNode phase : json.at("/plan/phases")) {
            phases.addObject().set("name", phase.get("name"));
        }
        return json;
    }

    /** How far the machine's time of day is ahead of the coordinator's. */
    private Duration ahead(ObjectNode json, Map<String, Instant> begun) {
        for (JsonNode phase : json.path("phases")) {
            Instant here = begun.get(phase.path("name").asString());
            if (here != null && phase.path("startedAt").isString()) {
                return Duration.between(
                        here, Instant.parse(phase.get("startedAt").asString()));
            }
        }
        // Of an agent that was lost, there are no phases.
        for (Interval interval : intervals) {
            Instant here = begun.get(interval.phase());
            if (here != null) {
                Instant there = Instant.parse(json.get("startedAt").asString());
                return Duration.between(here, there.plus(interval.start()));
            }
        }
        return Duration.ZERO;
    }

    private static ObjectNode corrected(ObjectNode json, Duration ahead) {
        correct(json, ahead);
        for (JsonNode phase : json.path("phases")) {
            correct((ObjectNode) phase, ahead);
        }
        return json;
    }

    private static void correct(ObjectNode json, Duration ahead) {
        if (json.path("startedAt").isString()) {
            Instant there = Instant.parse(json.get("startedAt").asString());
            json.put("startedAt", there.minus(ahead).toString());
        }
    }
}
