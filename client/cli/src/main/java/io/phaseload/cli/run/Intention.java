package io.phaseload.cli.run;

import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Schedule;
import io.phaseload.user.PhaseSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The line before a run that says how much is sent: for those who didn't ask for several phases.
 *
 * @param plan of all phases
 * @param phasesOfALength in a row
 */
public record Intention(Plan plan, List<Phase> phasesOfALength) {

    private static final List<String> NUMBERS = List.of("no", "one", "two", "three", "four");

    /** Such as {@code 18,400 requests: 200 iterations × 92 users in four phases}. */
    public static String text(Plan plan) {
        List<String> texts = new ArrayList<>();
        List<Phase> same = new ArrayList<>();
        for (Phase phase : plan.phases()) {
            if (!same.isEmpty() && !same.get(0).length().equals(phase.length())) {
                texts.add(new Intention(plan, List.copyOf(same)).text());
                same.clear();
            }
            same.add(phase);
        }
        texts.add(new Intention(plan, same).text());
        return String.join(", then ", texts);
    }

    private String text() {
        Phase largest = phasesOfALength.stream()
                .reduce((one, other) -> one.share() < other.share() ? other : one)
                .orElseThrow();
        int peak = largest.users(plan.threads());
        String rate = rate(largest).map(", "::concat).orElse("");
        if (largest.length() instanceof PhaseLength.Lasting lasting) {
            return "%s s: %s%s s, %s%s"
                    .formatted(
                            seconds(lasting.duration().toMillis() * phasesOfALength.size()),
                            phasesOfALength.size() == 1 ? "one phase of " : phases() + " of ",
                            seconds(lasting.duration().toMillis()),
                            users(peak),
                            rate);
        }
        String requests = upTo() + counted(requests(), noun()) + ": ";
        if (largest.length() instanceof PhaseLength.Iterations counted) {
            int users = phasesOfALength.stream()
                    .mapToInt(phase -> phase.users(plan.threads()))
                    .sum();
            return requests
                    + "%s × %s in %s%s"
                            .formatted(counted(counted.perUser(), "iteration") + each(), users(users), phases(), rate);
        }
        return requests + "%s in %s%s".formatted(users(peak), phases(), rate);
    }

    /** Requests of a journey may depend on conditions. */
    private String upTo() {
        return plan.scenario().journeys().isPresent() ? "up to " : "";
    }

    private String each() {
        int each = plan.scenario().order().length;
        return plan.scenario().journeys().isPresent() || each == 1 ? "" : " of " + counted(each, noun());
    }

    private long requests() {
        return phasesOfALength.stream()
                .mapToLong(phase -> new PhaseSettings(plan, phase).asked())
                .sum();
    }

    private String noun() {
        return plan.engine().protocol() instanceof Protocol.WebSocket ? "message" : "request";
    }

    private String phases() {
        int count = phasesOfALength.size();
        String number = count < NUMBERS.size() ? NUMBERS.get(count) : String.valueOf(count);
        return number + (count == 1 ? " phase" : " phases");
    }

    private static String users(long count) {
        return counted(count, "user");
    }

    private static String counted(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }

    private static String seconds(long millis) {
        return millis % 1_000 == 0
                ? String.format(Locale.ROOT, "%,d", millis / 1_000)
                : String.format(Locale.ROOT, "%,.3f", millis / 1e3);
    }

    /** The rate of all users together, in the largest phase. */
    private static Optional<String> rate(Phase phase) {
        return phase.load() instanceof Load.Open open
                ? rate(open.schedule()).map(rate -> "at " + rate + " of all users together")
                : Optional.empty();
    }

    private static Optional<String> rate(Schedule schedule) {
        if (schedule instanceof ConstantArrivals constant) {
            return Optional.of(constant.rate().toString());
        }
        return schedule instanceof PoissonArrivals poisson
                ? Optional.of(poisson.rate().toString())
                : Optional.empty();
    }
}
