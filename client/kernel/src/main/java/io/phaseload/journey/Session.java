package io.phaseload.journey;

import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.journey.SessionValues;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of one user within an iteration: variables, values that it took from responses, its row of data, and its
 * random numbers. Owned by one thread.
 */
public final class Session implements SessionValues {

    private final JourneyData data;
    private final int user;
    private final SplittableRandom random;
    private final String[] values;
    private final Bytes head = new Bytes();
    private final Bytes body = new Bytes();
    // By the index of the journey; made when it is needed.
    private final Map<Integer, UserAgent> agents = new HashMap<>();
    private final StoredResponses stored = new StoredResponses();
    private long iteration;
    private SessionRules rules = SessionRules.NONE;
    private @Nullable UserAgent agent;
    private int step;
    private @Nullable FollowUp followUp;
    private int followed;
    private Runnable atEnd = () -> {};

    /**
     * A session of a user that begins a phase.
     *
     * @param user its index
     * @param random its own
     */
    public Session(JourneyData data, int user, SplittableRandom random) {
        this.data = data;
        this.user = user;
        this.random = random;
        this.values = new String[data.slots().count()];
        Arrays.fill(values, "");
        data.setVariables(values);
    }

    /**
     * Begins the next iteration, which remembers nothing of the one before.
     *
     * @return true if there is data for it
     */
    public boolean begin(Program program) {
        iteration = data.nextIteration(user);
        rules = program.rules();
        followUp = null;
        agent = null;
        stored.clear();
        if (rules.remembers()) {
            agent = agents.computeIfAbsent(
                    program.index(), of -> data.newAgent(rules, () -> program.credentials(this)));
            agent.clear();
        }
        Arrays.fill(values, data.slots().variables(), data.slots().extracted(), "");
        return data.load(program.feeders(), user, random, values);
    }

    /**
     * The state that ends with the iteration.
     *
     * @param task is called at its end; replaces another one
     */
    public void atEnd(Runnable task) {
        atEnd = task;
    }

    /** The iteration is over. */
    public void end() {
        atEnd.run();
    }

    /** {@return its session rules} */
    public SessionRules rules() {
        return rules;
    }

    /**
     * A step's own request is about to be written.
     *
     * @param operation its index in the scenario
     */
    public void begins(int operation) {
        step = operation;
        followUp = null;
        followed = 0;
    }

    /** {@return the step whose request was written last: its index in the scenario} */
    public int step() {
        return step;
    }

    /** {@return the request that the last response asked for; {@code null} if it is the step's} */
    public @Nullable FollowUp followUp() {
        return followUp;
    }

    /** No response came that could ask for another request. */
    public void endFollowing() {
        followUp = null;
    }

    /**
     * Writes the lines of a header that are what it remembers.
     *
     * @param method of the request
     * @param path of it
     * @param out its header, as far as it is written
     */
    public void writeRemembered(String method, String path, Bytes out) {
        if (agent != null) {
            agent.write(method, path, out);
        }
        if (rules.cache()) {
            stored.write(method, path, out);
        }
    }

    /**
     * The response that is looked at.
     *
     * @param method of the request
     * @param path of it
     * @param response to it
     * @return itself; or an earlier one, if it says that this hasn't changed
     */
    public Response settled(String method, String path, Response response) {
        return rules.cache() ? stored.settled(method, path, response) : response;
    }

    /**
     * Takes what a response says to whoever sent its request.
     *
     * @param method of the request
     * @param path of it
     * @param status of the response
     * @param header lines of its header, each with its end
     * @return true if it asks for another request, which is {@link #followUp()} then
     * @throws NotFollowedException if that isn't to be sent
     */
    public boolean answered(String method, String path, int status, byte[] header) throws NotFollowedException {
        followUp = null;
        if (agent != null) {
            followUp = agent.answered(method, path, status, header, followed);
            followed++;
        }
        return followUp != null;
    }

    /** {@return the current values by name, without empty ones} */
    public Map<String, String> values() {
        Map<String, String> all = new TreeMap<>();
        for (String name : data.slots().names()) {
            String value = values[data.slots().of(name)];
            if (!value.isEmpty()) {
                all.put(name, value);
            }
        }
        return all;
    }

    /** {@return the secret values of the session} */
    public List<String> secrets() {
        return Arrays.stream(data.secrets()).mapToObj(this::value).toList();
    }

    @Override
    public String get(String name) {
        return values[slot(name)];
    }

    @Override
    public void set(String name, String value) {
        values[slot(name)] = Objects.requireNonNull(value, name);
    }

    private int slot(String name) {
        if (!data.slots().names().contains(name)) {
            throw new IllegalArgumentException("%s: expected one of %s"
                    .formatted(name, String.join(", ", data.slots().names())));
        }
        return data.slots().of(name);
    }

    String value(int slot) {
        return values[slot];
    }

    void set(int slot, String value) {
        values[slot] = value;
    }

    @Override
    public long user() {
        return user;
    }

    @Override
    public long iteration() {
        return iteration;
    }

    long nextCount() {
        return data.nextCount();
    }

    long nextCountOfUser() {
        return data.nextCount(user);
    }

    long random(long from, long to) {
        // A range of all but a few numbers is wider than a long.
        return from == to ? from : to == Long.MAX_VALUE ? random.nextLong(from, to) : random.nextLong(from, to + 1);
    }

    String uuid() {
        long high = (random.nextLong() ^ data.run().getMostSignificantBits()) & ~0xf000L | 0x4000L;
        long low = (random.nextLong() ^ data.run().getLeastSignificantBits()) & ~(0b11L << 62) | 0b10L << 62;
        return new UUID(high, low).toString();
    }

    /** {@return the header that was written last} */
    public Bytes sentHead() {
        return head;
    }

    /** {@return the body that was written last} */
    public Bytes sentBody() {
        return body;
    }

    /** Where a request's header is written; what was there is gone. */
    public Bytes head() {
        head.clear();
        return head;
    }

    /** Where a request's body is written; what was there is gone. */
    public Bytes body() {
        body.clear();
        return body;
    }
}
