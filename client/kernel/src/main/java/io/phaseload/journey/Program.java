package io.phaseload.journey;

import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Step;
import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.journey.Template;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A journey's steps, one instruction after another. Immutable. */
public final class Program {

    private final List<Instruction> instructions = new ArrayList<>();
    private final long requests;
    private final int counters;
    private final int[] feeders;
    private final int index;
    private final SessionRules rules;
    private final Optional<CompiledTemplate> credentials;
    private final Added added;

    /**
     * Where requests are counted that the steps don't name.
     *
     * @param followUps index of the operation that those are which responses ask for
     * @param timed index of what a request is timed as, with those
     * @param retries index of the operation that those are which are sent again
     */
    private record Added(int followUps, int timed, int retries) {}

    private Program(
            List<Instruction> instructions, int counters, int index, Journey journey, Slots slots, Added added) {
        this.instructions.addAll(instructions);
        this.requests = journey.requests();
        this.counters = counters;
        this.feeders = slots.feeders(journey);
        this.index = index;
        this.rules = journey.session();
        this.credentials = rules.credentials().map(Template::parse).map(text -> CompiledTemplate.plain(text, slots));
        this.added = added;
    }

    /** Its index among the plan's. */
    int index() {
        return index;
    }

    /** The session rules of its users. */
    SessionRules rules() {
        return rules;
    }

    /** The credentials for challenges. */
    String credentials(Session session) {
        return credentials.map(text -> text.value(session)).orElse("");
    }

    /** {@return the index of the operation that requests are counted as for which responses ask} */
    public int followUps() {
        return added.followUps();
    }

    /** {@return the index of the operation that requests are counted as which are sent again} */
    public int retries() {
        return added.retries();
    }

    /** {@return the index of what a request is timed as with those} */
    public int followUpsTimed() {
        return added.timed();
    }

    /** Indices of the feeders of which it takes a row each. */
    int[] feeders() {
        return feeders;
    }

    /** {@return the instruction at an index} */
    public Instruction at(int index) {
        return instructions.get(index);
    }

    /** {@return the number of instructions} */
    public int length() {
        return instructions.size();
    }

    /** {@return the number of requests that it sends if all conditions hold} */
    public long requests() {
        return requests;
    }

    /** {@return the number of counters of repetitions} */
    public int counters() {
        return counters;
    }

    /**
     * The programs of a plan's journeys.
     *
     * @param plan has some
     * @return in order
     */
    public static List<Program> all(Plan plan) {
        return new Compiler(plan).programs();
    }

    /** Numbers operations and groups as {@link Scenario} does. */
    private static final class Compiler {

        private final Scenario scenario;
        private final Slots slots;
        private List<Instruction> out = new ArrayList<>();
        private int operation;
        private int group;
        private int counters;

        Compiler(Plan plan) {
            scenario = plan.scenario();
            slots = Slots.of(scenario.journeys().orElseThrow(), plan.target());
            group = scenario.journeys().orElseThrow().all().size();
        }

        List<Program> programs() {
            Journeys journeys = scenario.journeys().orElseThrow();
            int followUps = journeys.requests().size();
            int timed = groups(scenario);
            int retries = followUps + scenario.timed().size() - timed;
            List<Program> programs = new ArrayList<>();
            for (Journey journey : journeys.all()) {
                out = new ArrayList<>();
                counters = 0;
                add(journey.steps(), new int[0]);
                Added own = new Added(followUps, timed, retries);
                followUps += journey.session().followUps() ? 1 : 0;
                timed += journey.session().followUps() ? 1 : 0;
                retries += journey.retries() ? 1 : 0;
                programs.add(new Program(out, counters, programs.size(), journey, slots, own));
            }
            return programs;
        }

        /** How much is timed before what responses ask for. */
        private static int groups(Scenario scenario) {
            long followed = scenario.journeys().orElseThrow().all().stream()
                    .filter(journey -> journey.session().followUps())
                    .count();
            return scenario.timed().size() - (int) followed;
        }

        private void add(List<Step> steps, int[] groups) {
            for (Step step : steps) {
                add(step, groups);
            }
        }

        private void add(Step step, int[] groups) {
            if (step instanceof Step.Measured request) {
                String name = scenario.operations().get(operation).name();
                out.add(new Instruction.Send(operation, name, request.onFailure(), groups));
                operation++;
            } else if (step instanceof Step.Think think) {
                out.add(new Instruction.ThinkTime(
                        think.pause().min().toNanos(), think.pause().max().toNanos()));
            } else if (step instanceof Step.Code code) {
                out.add(new Instruction.Call(code.action()));
            } else if (step instanceof Step.Group own) {
                int index = group++;
                int[] within = Arrays.copyOf(groups, groups.length + 1);
                within[groups.length] = index;
                add(own.steps(), within);
                out.add(new Instruction.GroupEnd(index));
            } else if (step instanceof Step.Repeat repeat) {
                int counter = counters++;
                out.add(new Instruction.RepeatBlock(counter, repeat.times()));
                int to = out.size();
                add(repeat.steps(), groups);
                out.add(new Instruction.Again(counter, to));
            } else if (step instanceof Step.When when) {
                int at = out.size();
                // In the place of the one that needs to know where it ends.
                out.add(new Instruction.ThinkTime(0, 0));
                add(when.steps(), groups);
                out.set(
                        at,
                        new Instruction.Unless(
                                when.condition(),
                                CompiledTemplate.plain(when.condition().left(), slots),
                                CompiledTemplate.plain(when.condition().right(), slots),
                                out.size(),
                                Journey.requests(when.steps(), true)));
            }
        }
    }
}
