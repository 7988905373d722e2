package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.statistics.Significance;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.SampledRequest;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Responses that only name another address, and count as successes. */
public final class Redirects {

    /** The rule. */
    public static final DiagnosisRule RULE = new DiagnosisRule(Claim.of("redirects"), Redirects::judge);

    private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);
    private static final int LEAST = 10;
    private static final double MOST = 0.95;
    private static final double MOST_CHANCE = 1e-4;
    private static final double CHANGED = 0.8;
    private static final double NEXT_TO_NONE = 0.01;

    /** Of a form alone a redirect is the usual response, and a single page may lead elsewhere. */
    private static final int LEAST_PAGES = 2;

    private Redirects() {}

    private static List<Diagnosis> judge(RunSeries run) {
        return run.phases().stream()
                .map(phase -> IntStream.range(0, phase.names().size())
                        .filter(operation ->
                                !run.statusChecked().contains(phase.names().get(operation)))
                        .mapToObj(operation -> judge(run, phase, operation))
                        .flatMap(Optional::stream)
                        .max(Comparator.comparingDouble(Diagnosis::impact)))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase, int operation) {
        Tally tally = phase.operations().get(operation);
        Map<Integer, Long> statuses = tally.counters().statuses();
        long redirects = redirects(tally);
        long responses = tally.responses();
        // One operation of several may be what redirects, as it is meant to.
        boolean all = isRedirect(phase.all()) || isRedirect(tally) && pages(run, phase) >= LEAST_PAGES;
        if (redirects < LEAST || tally.succeeded() < MOST * redirects) {
            return Optional.empty();
        }
        Optional<String> since = all ? Optional.of("") : since(run, phase, operation);
        return since.map(when -> RULE.claim()
                .in(
                        phase,
                        all ? Confidence.POSSIBLE : Confidence.LIKELY,
                        phase.share(redirects),
                        redirects,
                        responses,
                        phase.names().get(operation),
                        STATUSES.stream()
                                .max(Comparator.comparingLong(status -> statuses.getOrDefault(status, 0L)))
                                .orElseThrow(),
                        phase.words().text(when)));
    }

    /** Why redirects among other responses aren't the service's own, if something says so. */
    private static Optional<String> since(RunSeries run, PhaseSeries phase, int operation) {
        if (change(phase, operation)) {
            return Optional.of("; each [user] got nothing else from some moment on, as if its session had ended");
        }
        return forAWhile(phase, operation)
                .or(() -> withFewer(run, phase, operation)
                        .map(("; with %d [users] there were next to none: under load it sends [users] elsewhere, such"
                                + " as to a waiting room")::formatted))
                .or(() -> inTurn(phase, operation)
                        .filter(share -> run.fixed().contains(phase.names().get(operation)))
                        .map("; these were exactly %s, as if so many instances redirected"::formatted));
    }

    /** From when until when responses redirect, if so many before it, of which none does, aren't by chance. */
    private static Optional<String> forAWhile(PhaseSeries phase, int operation) {
        List<SampledRequest> successes = phase.facts(operation).stream()
                .flatMap(facts -> facts.requests().stream())
                .filter(request -> !request.failed())
                .toList();
        int from = IntStream.range(0, successes.size())
                .filter(i -> isRedirect(successes.get(i)))
                .findFirst()
                .orElse(0);
        List<SampledRequest> since = successes.subList(from, successes.size());
        long redirects = redirects(since);
        int to = IntStream.range(0, since.size())
                .filter(i -> isRedirect(since.get(i)))
                .max()
                .orElse(0);
        double share = (double) redirects / (to + 1);
        if (from < LEAST || redirects < LEAST || Math.pow(1 - share, from) > MOST_CHANCE) {
            return Optional.empty();
        }
        // Of those that are sent at its edges, some are answered as before or after it.
        return Optional.of("; from %.1f to %.1f s into the run %s, and before it none"
                .formatted(
                        phase.startSeconds() + since.get(0).sentNanos() / 1e9,
                        phase.startSeconds() + since.get(to).sentNanos() / 1e9,
                        share >= MOST ? "there was nothing else" : "these were %.0f %%".formatted(share * 100)));
    }

    /** The share, k of n, of responses that redirect in each second, if all are known and it is exact. */
    private static Optional<String> inTurn(PhaseSeries phase, int operation) {
        long[] redirects = new long[(int) phase.wall().toSeconds() + 1];
        long[] responses = new long[redirects.length];
        phase.facts(operation).stream()
                .flatMap(facts -> facts.requests().stream())
                .filter(request -> request.status() > 0)
                .forEach(request -> {
                    int second = (int) Math.min(redirects.length - 1, Math.max(0, request.endNanos()) / 1_000_000_000);
                    responses[second]++;
                    redirects[second] += isRedirect(request) ? 1 : 0;
                });
        return phase.hasAll() ? SteadyFailures.exactlyInTurn(redirects, responses) : Optional.empty();
    }

    /** The number of users of a phase with fewer, in which significantly fewer responses redirect, and next to none. */
    private static Optional<Integer> withFewer(RunSeries run, PhaseSeries many, int operation) {
        return run.phases().stream()
                .filter(few -> few.users() < many.users() && few.names().equals(many.names()))
                .filter(few -> redirects(few.operations().get(operation))
                        < NEXT_TO_NONE * few.operations().get(operation).responses())
                .filter(few -> Significance.isMore(
                        redirects(few.operations().get(operation)),
                        few.operations().get(operation).responses(),
                        redirects(many.operations().get(operation)),
                        many.operations().get(operation).responses()))
                .map(PhaseSeries::users)
                .findFirst();
    }

    private static boolean isRedirect(Tally tally) {
        return redirects(tally) >= MOST * Math.max(1, tally.responses());
    }

    /** The number of operations that read something, and get redirects alone; 0 if less than half of all do. */
    private static long pages(RunSeries run, PhaseSeries phase) {
        return 2 * redirects(phase.all()) < phase.all().responses()
                ? 0
                : IntStream.range(0, phase.names().size())
                        .filter(of -> run.fixed().contains(phase.names().get(of)))
                        .filter(of -> isRedirect(phase.operations().get(of)))
                        .count();
    }

    /** {@return the number of responses with such a status} */
    static long redirects(Tally tally) {
        Map<Integer, Long> statuses = tally.counters().statuses();
        return STATUSES.stream()
                .mapToLong(status -> statuses.getOrDefault(status, 0L))
                .sum();
    }

    /**
     * Whether users got redirects alone from some moment on: k of n in the last places are one of (n over k) orders.
     */
    private static boolean change(PhaseSeries phase, int operation) {
        Collection<List<SampledRequest>> mixed = phase.facts(operation).stream()
                .flatMap(facts -> facts.requests().stream())
                .filter(request -> !request.failed())
                .collect(Collectors.groupingBy(SampledRequest::user))
                .values();
        mixed.removeIf(user -> redirects(user) == 0 || redirects(user) == user.size());
        List<List<SampledRequest>> changed = mixed.stream()
                .filter(user ->
                        user.stream().skip(user.size() - redirects(user)).allMatch(Redirects::isRedirect))
                .toList();
        // (n over k) is at least 2 to the power of the smaller group.
        long doublings = changed.stream()
                .mapToLong(user -> Math.min(redirects(user), user.size() - redirects(user)))
                .sum();
        return changed.size() >= CHANGED * mixed.size() && doublings >= LEAST;
    }

    private static boolean isRedirect(SampledRequest request) {
        return STATUSES.contains(request.status());
    }

    private static long redirects(List<SampledRequest> of) {
        return of.stream().filter(Redirects::isRedirect).count();
    }
}
