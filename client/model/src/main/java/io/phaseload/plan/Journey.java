package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.input.Limit;
import io.phaseload.options.ValueException;
import io.phaseload.plan.journey.SessionRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The steps of one iteration: a scenario of a plan's file.
 *
 * @param name letters, digits, {@code -} and {@code _}
 * @param weight its share of the users in a closed model, and of the arrivals in an open one, is this of the sum of all
 *     weights: 1 to 10,000
 * @param weights its weight by the name of a phase, in the place of the one for all: 0 to 10,000; in a phase without
 *     one it takes no part; empty if it has the same in all
 * @param session the session rules
 * @param steps in order; at least one request is sent whatever conditions say
 */
public record Journey(String name, int weight, Map<String, Integer> weights, SessionRules session, List<Step> steps) {

    /** More than any journey may send; times the most repetitions, it is still a number. */
    private static final long TOO_MANY = 1_000_000_000_000L;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,39}");

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Journey {
        if (!NAME.matcher(name).matches()) {
            throw new ValueException("scenario '%s'".formatted(name), "a name of letters, digits, - and _");
        }
        Limit.WEIGHT.check(weight);
        weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
        weights.values().forEach(own -> Args.range("weight", own, 0, Limit.WEIGHT.most()));
        steps = List.copyOf(steps);
    }

    /**
     * A journey whose users remember only what steps take.
     *
     * @param name see {@link #name()}
     * @param weight see {@link #weight()}
     * @param steps see {@link #steps()}
     * @throws IllegalArgumentException as the canonical constructor does
     */
    public Journey(String name, int weight, List<Step> steps) {
        this(name, weight, Map.of(), SessionRules.NONE, steps);
    }

    /**
     * Begins a journey without steps, of weight 1.
     *
     * @param name see {@link #name()}
     * @throws IllegalArgumentException if it isn't one
     */
    public static Journey named(String name) {
        return new Journey(name, 1, List.of());
    }

    /**
     * This journey with one step more.
     *
     * @param next after all others
     * @return a copy
     */
    public Journey step(Step next) {
        List<Step> more = new ArrayList<>(steps);
        more.add(next);
        return new Journey(name, weight, weights, session, more);
    }

    /**
     * This journey with another weight, the same in all phases.
     *
     * @param newWeight see {@link #weight()}
     * @return a copy
     * @throws IllegalArgumentException if it is out of range
     */
    public Journey weight(int newWeight) {
        return new Journey(name, newWeight, Map.of(), session, steps);
    }

    /**
     * This journey with weights for phases.
     *
     * @param newWeights see {@link #weights()}
     * @return a copy
     * @throws IllegalArgumentException if one is out of range
     */
    public Journey weights(Map<String, Integer> newWeights) {
        return new Journey(name, weight, newWeights, session, steps);
    }

    /** Its steps that results have figures of, in order, with those within others. */
    List<Step.Measured> measured() {
        return each(Step.Measured.class).toList();
    }

    /** Its steps of a kind, in order, with those within others. */
    <S extends Step> Stream<S> each(Class<S> kind) {
        return each(steps, kind);
    }

    private static <S extends Step> Stream<S> each(List<Step> steps, Class<S> kind) {
        return steps.stream()
                .flatMap(step -> Stream.concat(
                        Stream.of(step).filter(kind::isInstance).map(kind::cast), each(step.steps(), kind)));
    }

    /** Its weight in a phase; 0 if it takes no part. */
    int weightIn(String phase) {
        return weights.isEmpty() ? weight : weights.getOrDefault(phase, 0);
    }

    /**
     * This journey with other rules for its users' sessions.
     *
     * @param rules see {@link #session()}
     * @return a copy
     */
    public Journey session(SessionRules rules) {
        return new Journey(name, weight, weights, rules, steps);
    }

    /** {@return the headers of each of its requests} */
    public List<List<Header>> headers() {
        return measured().stream().map(step -> step.operation().headers()).toList();
    }

    /** {@return true if it sends a request again that fails} */
    public boolean retries() {
        return measured().stream().anyMatch(step -> step.onFailure().retries() > 0);
    }

    /** {@return the number of requests that one run of it sends if all conditions hold} */
    public long requests() {
        return requests(steps, true);
    }

    /** {@return the number of them that are sent under any conditions} */
    long leastRequests() {
        return requests(steps, false);
    }

    /**
     * How many requests steps send.
     *
     * @param steps some
     * @param conditional true if conditions hold
     * @return at most 1,000,000,000,000, which is more than any journey may send
     */
    public static long requests(List<Step> steps, boolean conditional) {
        long sum = 0;
        for (Step step : steps) {
            if (step instanceof Step.Measured) {
                sum++;
            } else if (conditional || !(step instanceof Step.When)) {
                long times = step instanceof Step.Repeat repeat ? repeat.times() : 1;
                sum += times * requests(step.steps(), conditional);
            }
            sum = Math.min(sum, TOO_MANY);
        }
        return sum;
    }
}
