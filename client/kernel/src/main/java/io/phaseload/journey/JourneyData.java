package io.phaseload.journey;

import io.phaseload.journey.rows.FeederRows;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Step;
import io.phaseload.plan.Target;
import io.phaseload.plan.journey.Extraction;
import io.phaseload.plan.journey.Feeder;
import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.share.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The sources of values of a run's users: variables, rows of data, counters. Thread-safe. */
public final class JourneyData implements AutoCloseable {

    /** The state of a user that lasts from phase to phase. Used by one thread at a time. */
    private static final class Kept {
        private long iterations;
        private long count;
        private final String[][] rows;

        Kept(int feeders) {
            rows = new String[feeders][];
        }
    }

    private final UUID run = UUID.randomUUID();
    private final Slots slots;
    private final String[] variables;
    private final int[] secrets;
    private final List<FeederRows> rows = new ArrayList<>();
    private final int[][] columns;
    private final Target target;
    private final Optional<UserAgentProvider> agents;
    private final Part part;
    private final AtomicLong counter = new AtomicLong();
    private final Map<Integer, Kept> users = new ConcurrentHashMap<>();

    private JourneyData(Journeys journeys, Plan plan, Target target, Map<String, String> environment) {
        this.slots = Slots.of(journeys, target);
        this.variables = journeys.filled(environment).values().toArray(String[]::new);
        this.secrets = slots.names().stream()
                .filter(journeys::isSecret)
                .mapToInt(slots::of)
                .toArray();
        checkExtractions(journeys);
        this.target = target;
        this.part = plan.part();
        this.agents = agents(journeys, target);
        this.columns = new int[journeys.feeders().size()][];
        try {
            for (Feeder feeder : journeys.feeders()) {
                List<String> names = slots.columns(feeder);
                columns[rows.size()] = names.stream()
                        .mapToInt(name -> slots.of(feeder.name() + "." + name))
                        .toArray();
                rows.add(new FeederRows(
                        feeder, names, plan.part(), plan.seed() + feeder.name().hashCode()));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Opens the data of a plan's journeys, as far as it is for its part.
     *
     * @param plan has journeys
     * @param environment the place where variables that name it get their values
     * @throws IllegalArgumentException as {@link #check} does
     */
    public static JourneyData open(Plan plan, Map<String, String> environment) {
        JourneyData data = new JourneyData(plan.scenario().journeys().orElseThrow(), plan, plan.target(), environment);
        try {
            data.rows.forEach(FeederRows::held);
        } catch (RuntimeException e) {
            data.close();
            throw e;
        }
        return data;
    }

    /**
     * Checks that what a plan's journeys need is there. It reads all data that isn't taken in the file's order.
     *
     * @param plan any
     * @param environment the place where variables that name it get their values
     * @throws IllegalArgumentException if a variable isn't in the environment; or naming a file of data that can't be
     *     read, is empty, lacks a column that a template takes, or has too many rows to hold; or if sessions are to
     *     remember, or steps to take, what nothing on the class path can; or if an expression isn't one
     */
    public static void check(Plan plan, Map<String, String> environment) {
        if (plan.scenario().journeys().isPresent()) {
            open(plan, environment).close();
        } else if (plan.scenario().pairs().isPresent()) {
            ofPairs(plan, environment);
        }
    }

    /**
     * The values of a plan of messages between pairs. It has no files, so that it needn't be closed.
     *
     * @param plan has pairs
     * @param environment the place where variables that name it get their values
     * @throws IllegalArgumentException as {@link #check} does
     */
    public static JourneyData ofPairs(Plan plan, Map<String, String> environment) {
        Journeys journeys = plan.scenario().pairs().orElseThrow().journeys();
        // Headers are the same for all pairs.
        return new JourneyData(journeys, plan, plan.target().withHeaders(List.of()), environment);
    }

    private void checkExtractions(Journeys journeys) {
        List<Step.Measured> steps = journeys.requests();
        for (int i = 0; i < steps.size(); i++) {
            for (Extraction extraction : steps.get(i).extractions()) {
                try {
                    new ValueFinder(extraction);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(
                            "step %s: extract %s: %s"
                                    .formatted(journeys.operations().get(i).name(), extraction.from(), e.getMessage()),
                            e);
                }
            }
        }
    }

    private static Optional<UserAgentProvider> agents(Journeys journeys, Target target) {
        boolean remember = false;
        for (Journey journey : journeys.all()) {
            SessionRules rules = journey.session();
            remember |= rules.remembers();
            Stream.concat(Stream.of(target.headers()), journey.headers().stream())
                    .flatMap(List::stream)
                    .filter(header -> rules.writes(header.name()))
                    .findFirst()
                    .ifPresent(header -> {
                        throw new IllegalArgumentException("scenario %s: header %s cannot be combined with a session"
                                .formatted(journey.name(), header.name()));
                    });
        }
        return remember ? Optional.of(UserAgentProvider.find()) : Optional.empty();
    }

    /** The agent of a user in a journey whose sessions remember, which remembers nothing yet. */
    UserAgent newAgent(SessionRules rules, Supplier<String> credentials) {
        return agents.orElseThrow().newAgent(target, rules, credentials);
    }

    /** Differs from run to run, so that what has to be unique does, too. */
    UUID run() {
        return run;
    }

    /** {@return the places of the values of sessions} */
    public Slots slots() {
        return slots;
    }

    /** Where the values are that are not to be written. */
    int[] secrets() {
        return secrets;
    }

    void setVariables(String[] values) {
        System.arraycopy(variables, 0, values, 0, variables.length);
    }

    long nextIteration(int user) {
        return kept(user).iterations++;
    }

    /** Of clients that share the plan, each takes every so many numbers, as it has users. */
    long nextCount() {
        return part.nth(counter.getAndIncrement()) + 1;
    }

    long nextCount(int user) {
        return ++kept(user).count;
    }

    private Kept kept(int user) {
        return users.computeIfAbsent(user, of -> new Kept(rows.size()));
    }

    /** Takes the rows of an iteration; returns whether there is one of each. */
    boolean load(int[] feeders, int user, SplittableRandom random, String[] values) {
        for (int i : feeders) {
            String[] row = row(i, user, random);
            if (row == null) {
                return false;
            }
            for (int column = 0; column < row.length; column++) {
                values[columns[i][column]] = row[column];
            }
        }
        return true;
    }

    private String[] row(int feeder, int user, SplittableRandom random) {
        FeederRows of = rows.get(feeder);
        if (of.feeder().each() == Feeder.Each.ITERATION) {
            return of.next(random);
        }
        String[][] own = kept(user).rows;
        if (own[feeder] == null) {
            own[feeder] = of.next(random);
        }
        return own[feeder];
    }

    /** Closes the files. */
    @Override
    public void close() {
        rows.forEach(FeederRows::close);
    }
}
