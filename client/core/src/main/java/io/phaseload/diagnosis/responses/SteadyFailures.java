package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.FailedRequests;
import io.phaseload.diagnosis.evidence.MostAtATime;
import io.phaseload.diagnosis.evidence.Paths;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.Statuses;
import io.phaseload.diagnosis.statistics.Ranks;
import io.phaseload.diagnosis.statistics.Significance;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.plan.Load;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.stats.Shares;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** A share of an operation's requests that fails in every second alike. */
public final class SteadyFailures {

    /** The rule. */
    public static final DiagnosisRule RULE =
            DiagnosisRule.ofPhaseInRun(Claim.of("steady-failures"), SteadyFailures::judge);

    /** The same of failures that no rule explains, whenever they come: it states what was seen. */
    public static final DiagnosisRule LAST =
            DiagnosisRule.ofPhaseInRun(RULE.claim(), (run, phase) -> most(phase, of -> judgeLast(run, phase, of)));

    private static final String SAME_SHARE = "about the same share in every second";
    private static final int LEAST_EACH = 10;
    private static final double SOONER = 0.95;
    private static final int LEAST = 5;
    private static final double LEAST_SHARE = 0.01;
    private static final int LEAST_SECONDS = 4;
    private static final int LEAST_SECONDS_SINCE = 2;

    /** So many that begin at once need fewer seconds to be seen. */
    private static final int LARGE = 100;

    private static final double LARGE_SHARE = 0.1;
    private static final int MOST_INSTANCES = 5;
    private static final double IN_TURN = 0.5;
    private static final double EXACTLY = 0.1;
    private static final double BY_CONNECTION = 0.5;

    /** A smaller share is also one of random failures' shares. */
    private static final int LEAST_OF_ALL = 30;

    /** A path that is found now and then exists. */
    private static final double MOST_SOMETIMES = 0.9;

    /** Of requests for what may be gone, such as a few of many items. */
    private static final double LEAST_SOMETIMES = 0.05;

    /** Of equal instances, more than half rarely fail: then a limit of the rate is likelier. */
    private static final double MAJORITY = 0.5;

    private static final int LEAST_LOST = 3;

    private SteadyFailures() {}

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase) {
        return most(phase, operation -> judge(run, phase, operation));
    }

    /** The operation whose diagnosis explains most. */
    private static Optional<Diagnosis> most(PhaseSeries phase, IntFunction<Optional<Diagnosis>> judge) {
        return IntStream.range(0, phase.names().size())
                .mapToObj(judge)
                .flatMap(Optional::stream)
                .max(Comparator.comparingDouble(Diagnosis::impact));
    }

    private static Optional<Diagnosis> judge(RunSeries run, PhaseSeries phase, int operation) {
        Tally tally = phase.operations().get(operation);
        Set<Cause> explained = GivesUp.causes(phase, operation);
        FailedRequests all =
                new FailedRequests(phase.only(operation), cause -> isSuch(cause) && !explained.contains(cause));
        Optional<Second> since = all.onset();
        FailedRequests such = since.map(all::from).orElse(all);
        // The second in which they begin is a mixture.
        List<Second> seconds =
                since.isPresent() ? such.phase().steady() : such.phase().seconds();
        long failed = seconds.stream().mapToLong(such::in).sum();
        long requests = seconds.stream().mapToLong(Second::requests).sum();
        double share = (double) failed / Math.max(1, requests);
        if (failed < LEAST
                || share < LEAST_SHARE
                || failed == requests
                || NeverSucceeds.conflictWithFirst(run, phase.names().get(operation))
                || !such.isConstant()
                || since.isEmpty() && growWithLoad(run, phase, operation, all)) {
            return Optional.empty();
        }
        Optional<String> instances = instances(failed, requests);
        boolean inTurn =
                instances.isPresent() && such.dispersion() < IN_TURN && !such.waited(tally.responseOfSuccesses());
        boolean exactly = inTurn && such.dispersion() < EXACTLY && isExactly(failed, requests);
        boolean change = since.isPresent() && (exactly || share >= LARGE_SHARE && failed >= LARGE);
        if (such.phase().steady().size() < (change ? LEAST_SECONDS_SINCE : LEAST_SECONDS)) {
            return Optional.empty();
        }
        boolean byConnection = phase.facts().stream()
                .filter(of -> of.operation() == operation)
                .anyMatch(of -> of.failed().byConnection().explains(BY_CONNECTION));
        Optional<Paths> paths = phase.facts(operation).flatMap(facts -> facts.failingPaths(all.causes()));
        // Some requests ask for something that doesn't exist, and that is no fault, unless it should exist.
        boolean unknown = !run.findable().contains(phase.names().get(operation))
                && !(since.isPresent() && wereFound(phase, operation, all))
                && mostAreUnknown(tally, failed);
        Optional<Long> soon = soon(phase, operation, all);
        boolean sometimes = paths.filter(of -> of.share() < MOST_SOMETIMES).isPresent();
        boolean encoded = paths.filter(Paths::encoded).isPresent();
        if (unknown && !exactly && !byConnection && !sometimes && !encoded && soon.isEmpty()) {
            return Optional.empty();
        }
        boolean refused = isRefusal(tally);
        boolean byRate = (!inTurn || share > MAJORITY) && RateLimit.explains(run, phase);
        if (refused
                && MostAtATime.of(phase, FailedRequests.withStatus(phase.only(operation), of -> of == 503))
                        .isPresent()) {
            return Optional.empty();
        }
        if (refused && !byConnection && (byRate || !inTurn && LoadShedding.explains(run, phase))) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        byConnection
                                        || paths.isPresent() && (sometimes || !unknown)
                                        || soon.isPresent()
                                        || exactly && !(refused && isEven(phase))
                                        || inTurn && !refused
                                ? Confidence.LIKELY
                                : Confidence.POSSIBLE,
                        phase.share(failed),
                        share * 100,
                        phase.names().get(operation),
                        all.inWords(),
                        SAME_SHARE,
                        inWords(since),
                        soon.isPresent()
                                ? phase.words()
                                        .text(", most of them within %.0f ms after their [user]'s [request] before")
                                        .formatted(soon.get() / 1e6)
                                : paths.isPresent()
                                        ? ", nearly all of them of %s, which fail in %.0f %%%s"
                                                .formatted(
                                                        paths.get().inWords(),
                                                        paths.get().share() * 100,
                                                        encoded
                                                                ? " and have an encoded character that no other has"
                                                                : "")
                                        : byConnection
                                                ? ", and always over the same connections, as if these led to"
                                                        + " an instance that fails"
                                                : instances
                                                        .filter(any -> inTurn)
                                                        .map(of -> ", as if " + of + " instances failed")
                                                        .orElse(""),
                        phase.words().text(why(tally, soon.isPresent()))));
    }

    private static Optional<Diagnosis> judgeLast(RunSeries run, PhaseSeries phase, int operation) {
        Tally tally = phase.operations().get(operation);
        FailedRequests all = new FailedRequests(phase.only(operation), cause -> isOfTarget(run, cause));
        Optional<Second> since = all.onset();
        FailedRequests such = since.map(all::from).orElse(all);
        boolean constant = such.isConstant();
        double share = (double) all.count() / Math.max(1, tally.requests());
        boolean unknown = !run.findable().contains(phase.names().get(operation))
                && mostAreUnknown(tally, all.count())
                && since.isEmpty()
                && constant
                && !(share >= LEAST_SOMETIMES && areFoundSometimes(phase, operation, all));
        if (all.count() < LEAST || share < LEAST_SHARE || unknown) {
            return Optional.empty();
        }
        return Optional.of(RULE.claim()
                .in(
                        phase,
                        Confidence.POSSIBLE,
                        phase.share(all.count()),
                        share * 100,
                        phase.names().get(operation),
                        all.inWords(),
                        constant ? SAME_SHARE : "at some times far more than at others",
                        inWords(since),
                        "",
                        phase.words()
                                .text(
                                        constant
                                                ? why(tally, false)
                                                : "Something that these [requests] need fails at times")));
    }

    private static String inWords(Optional<Second> since) {
        return since.map(of -> " from %.1f s into the run on".formatted(of.startSeconds()))
                .orElse("");
    }

    /** A client that is the limit may make its timeouts itself. */
    private static boolean isOfTarget(RunSeries run, Cause cause) {
        boolean late = cause.equals(Cause.READ_TIMEOUT) || cause.equals(Cause.CONNECT_TIMEOUT);
        return !cause.isClientLimit()
                && !cause.equals(Cause.STOPPED)
                && !cause.equals(Cause.LEASE_TIMEOUT)
                && !(late && run.clientLimited());
    }

    private static boolean mostAreUnknown(Tally tally, long failed) {
        long unknown = tally.failures().entrySet().stream()
                .filter(cause -> cause.getKey().isStatus(Statuses::isUnknown))
                .mapToLong(cause -> cause.getValue().count())
                .sum();
        return 2 * unknown > failed;
    }

    /** Whether most failures are those of paths that succeed at other times. */
    private static boolean areFoundSometimes(PhaseSeries phase, int operation, FailedRequests such) {
        List<SampledRequest> requests =
                phase.facts(operation).map(Facts::requests).orElse(List.of());
        Set<String> found = requests.stream()
                .filter(of -> !of.failed())
                .map(SampledRequest::path)
                .collect(Collectors.toSet());
        List<SampledRequest> failed = requests.stream()
                .filter(of -> of.cause().filter(such.causes()).isPresent())
                .filter(of -> !of.path().isEmpty())
                .toList();
        return failed.size() >= LEAST_EACH
                && failed.stream().filter(of -> found.contains(of.path())).count() >= MOST_SOMETIMES * failed.size();
    }

    /** Whether several paths that fail had succeeded before. */
    private static boolean wereFound(PhaseSeries phase, int operation, FailedRequests such) {
        Set<String> found = new HashSet<>();
        Set<String> lost = new HashSet<>();
        for (SampledRequest request :
                phase.facts(operation).map(Facts::requests).orElse(List.of())) {
            if (!request.failed()) {
                found.add(request.path());
            } else if (such.causes().test(request.outcome().cause()) && found.contains(request.path())) {
                lost.add(request.path());
            }
        }
        lost.remove("");
        return lost.size() >= LEAST_LOST;
    }

    /** Whether fewer failed with fewer users, so that the load decides. */
    private static boolean growWithLoad(RunSeries run, PhaseSeries phase, int operation, FailedRequests such) {
        Tally many = phase.operations().get(operation);
        return run.phases().stream()
                .filter(few -> few.users() < phase.users() && few.names().equals(phase.names()))
                .map(few -> few.operations().get(operation))
                .anyMatch(
                        few -> Significance.isMore(such.count(few), few.requests(), such.count(many), many.requests()));
    }

    private static String why(Tally tally, boolean soon) {
        if (soon) {
            return "A [request] that comes soon doesn't find what its [user] has just written, as with a replica or a"
                    + " cache that is late";
        }
        Tally.Failures conflicts = tally.failures().get(NeverSucceeds.CONFLICT);
        if (conflicts != null && 2 * conflicts.count() > tally.failed()) {
            return "409 says that [requests] conflict, as writers of the same data do";
        }
        boolean ofCredentials =
                tally.failures().keySet().stream().anyMatch(of -> of.isStatus(Statuses::wantsCredentials));
        return "Some instance, some data or some path through the service fails each time"
                + (ofCredentials ? ", such as credentials that expire or that not each instance knows" : "");
    }

    /**
     * Whether requests fail that come sooner after their user's request before than others.
     *
     * @return in nanoseconds, after which the last of ten failures came; empty if that doesn't decide
     */
    private static Optional<Long> soon(PhaseSeries phase, int operation, FailedRequests such) {
        Predicate<SampledRequest> failed = of -> such.causes().test(of.outcome().cause());
        Predicate<SampledRequest> own = of -> of.operation() == operation;
        long[] soon = phase.pauses(own.and(failed));
        long[] late = phase.pauses(own.and(failed.negate()));
        return soon.length >= LEAST_EACH && late.length >= LEAST_EACH && Ranks.below(soon, late) >= SOONER
                ? Optional.of(soon[9 * soon.length / 10])
                : Optional.empty();
    }

    /** Whether exactly every n-th request fails, or k of n, as no limit of load makes it. */
    static boolean isExactlyInTurn(FailedRequests such, long requests) {
        return isExactly(such.count(), requests) && such.dispersion() < EXACTLY;
    }

    /** {@return the share, k of n, that some requests of each second are, if it is exact; empty if it varies} */
    static Optional<String> exactlyInTurn(long[] such, long[] of) {
        return Shares.dispersion(such, of) < EXACTLY
                ? instances(LongStream.of(such).sum(), LongStream.of(of).sum(), Math.sqrt(EXACTLY))
                : Optional.empty();
    }

    /** Whether a share that chance hardly changes is k of n. */
    private static boolean isExactly(long failed, long requests) {
        return instances(failed, requests, Math.sqrt(EXACTLY)).isPresent();
    }

    /** Whether requests come at even distances, so that each n-th of a limit of the rate succeeds, too. */
    private static boolean isEven(PhaseSeries phase) {
        return phase.load() instanceof Load.Open open && open.schedule() instanceof ConstantArrivals;
    }

    /** Whether most failures are a status that limits of load have, too. */
    private static boolean isRefusal(Tally tally) {
        Tally.Failures refused = tally.failures().get(Cause.ofStatus(503));
        return refused != null && 2 * refused.count() >= tally.failed();
    }

    /**
     * Credentials expire, or not each instance knows them; a request that never has them always fails. There are other
     * rules for connections that end.
     */
    private static boolean isSuch(Cause cause) {
        return cause.isStatus(status -> status >= 400 && status != 502 && !Statuses.limits(status))
                || cause.isCheck()
                || cause.isNamed()
                || cause.equals(Cause.TLS_FAILURE)
                || cause.equals(Cause.CONNECT_TIMEOUT)
                || cause.equals(Cause.CONNECT_REFUSED)
                || cause.equals(Cause.NO_ROUTE)
                || cause.equals(Cause.MALFORMED_RESPONSE);
    }

    /** The fewest instances of which some fail each time, in words. */
    private static Optional<String> instances(long failed, long requests) {
        return instances(failed, requests, 1);
    }

    private static Optional<String> instances(long failed, long requests, double deviation) {
        for (int n = 2; n <= MOST_INSTANCES && requests >= LEAST_OF_ALL; n++) {
            for (int k = 1; k < n; k++) {
                double share = (double) k / n;
                double distance = Math.abs(failed - requests * share);
                if (distance <= 1
                        || Shares.covers(share, Math.round(requests * share + distance / deviation), requests)) {
                    return Optional.of(k + " of " + n);
                }
            }
        }
        return Optional.empty();
    }
}
