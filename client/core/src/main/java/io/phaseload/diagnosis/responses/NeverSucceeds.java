package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.Second;
import io.phaseload.diagnosis.evidence.Statuses;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Tally;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.verdict.rules.Wording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Operations that fail in the same way each time, whatever the load: a wrong address, a wrong request, or a service
 * that doesn't work.
 */
public final class NeverSucceeds {

    private static final int LEAST = 3;
    private static final double SAME = 0.9;

    /** Firewalls and missing tokens answer with it, too. */
    private static final Set<String> FORBIDDEN = Set.of("403");

    private static final Pattern CLOSED = Pattern.compile("lost: (sender|receiver) closed ");

    /** In protocols of messages, after the connection was made. */
    private static final Pattern NOT_ACCEPTED = Pattern.compile("lost: not (connected,|subscribed:) ");

    /** More operations are counted, and more details left out. */
    private static final int NAMED = 3;

    /** One for each way to fail. */
    public static final List<DiagnosisRule> RULES = List.of(
            rule("nothing-listens", is(Cause.CONNECT_REFUSED)),
            rule("no-connection", is(Cause.CONNECT_TIMEOUT, Cause.NO_ROUTE)),
            rule("unknown-host", is(Cause.UNKNOWN_HOST)),
            rule("no-tls", is(Cause.TLS_FAILURE)),
            rule("not-http", is(Cause.MALFORMED_RESPONSE, Cause.NO_HTTP2)),
            rule("always-closed", is(Cause.RESET_BEFORE_RESPONSE)),
            rule("never-answered", is(Cause.READ_TIMEOUT)),
            rule("never-delivered", NeverSucceeds::isUndelivered),
            rule("never-accepted", NeverSucceeds::isNotAccepted),
            rule(
                    "credentials",
                    (run, cause) -> cause.isStatus(Statuses::wantsCredentials) && !isNotAccepted(run, cause)),
            rule("wrong-request", status(NeverSucceeds::isWrongRequest)),
            rule("always-fails", status(status -> status >= 500 && !Statuses.limits(status))),
            rule("check-never-holds", Cause::isCheck));

    /** The cause of requests that conflict with an earlier one. */
    static final Cause CONFLICT = Cause.ofStatus(Statuses.CONFLICT);

    /** Of an operation's requests, those that later ones conflict with. */
    private static final double MOST_FIRST = 0.05;

    /**
     * An operation of which every request failed, in all phases together.
     *
     * @param first the number of its first requests, which succeeded and with which all others conflict
     * @param requests all others
     */
    private record Failing(String name, long first, long requests, Map<Cause, Tally.Failures> causes) {

        private String inWords() {
            return "'%s'%s%s".formatted(name, first == 0 ? "" : " after the first", first < 2 ? "" : " " + first);
        }
    }

    private NeverSucceeds() {}

    private static DiagnosisRule rule(String id, Predicate<Cause> causes) {
        return rule(id, (run, cause) -> causes.test(cause));
    }

    private static DiagnosisRule rule(String id, BiPredicate<RunSeries, Cause> causes) {
        Claim claim = Claim.of(id);
        return new DiagnosisRule(claim, run -> judge(run, claim, cause -> causes.test(run, cause)).stream()
                .toList());
    }

    private static Predicate<Cause> is(Cause... causes) {
        return Set.of(causes)::contains;
    }

    private static Predicate<Cause> status(IntPredicate such) {
        return cause -> cause.isStatus(such);
    }

    /**
     * Servers that accept only connections of their own pages refuse others with 403, whatever their credentials. No
     * connection becomes one of messages by a redirect, or by a page.
     */
    private static boolean isNotAccepted(RunSeries run, Cause cause) {
        return NOT_ACCEPTED.matcher(cause.key()).lookingAt()
                || cause.isStatus(status -> status == 403 || status < 400) && run.words() != Wording.REQUESTS;
    }

    /** A server that can't read a message may ignore it, or close the connection. */
    private static boolean isUndelivered(Cause cause) {
        return cause.equals(Cause.NOT_RECEIVED) || CLOSED.matcher(cause.key()).lookingAt();
    }

    /** Neither a timeout nor a limit of the rate is the request's fault. */
    private static boolean isWrongRequest(int status) {
        return status >= 400
                && status < 500
                && status != 408
                && !Statuses.limits(status)
                && !Statuses.wantsCredentials(status);
    }

    private static Optional<Diagnosis> judge(RunSeries run, Claim claim, Predicate<Cause> causes) {
        List<String> names = new ArrayList<>();
        Set<String> said = new LinkedHashSet<>();
        long requests = 0;
        long failed = 0;
        boolean conflict = false;
        for (Failing operation : failing(run)) {
            Map<Cause, Tally.Failures> such = new TreeMap<>(operation.causes());
            such.keySet().removeIf(cause -> !causes.test(cause));
            long count = such.values().stream().mapToLong(Tally.Failures::count).sum();
            if (count >= SAME * operation.requests()) {
                names.add(operation.inWords());
                conflict |= operation.first() > 0;
                such.forEach((cause, of) -> said.add(said(cause, of.detail())));
                requests += operation.requests();
                failed += count;
            }
        }
        if (names.isEmpty()) {
            return Optional.empty();
        }
        long all = run.phases().stream()
                .flatMap(phase -> phase.operations().stream())
                .mapToLong(Tally::requests)
                .sum();
        return Optional.of(claim.ofRun(
                run.words(),
                said.equals(FORBIDDEN) || conflict ? Confidence.LIKELY : Confidence.CERTAIN,
                (double) failed / all,
                requests,
                names.size() > NAMED ? names.size() + " operations" : String.join(", ", names),
                failed,
                some(said)));
    }

    private static String some(Set<String> said) {
        String first = said.stream().limit(NAMED).collect(Collectors.joining(" or "));
        return said.size() > NAMED ? first + " or others" : first;
    }

    /** The operations that never succeeded. Most have succeeded once, and cost next to nothing. */
    private static List<Failing> failing(RunSeries run) {
        Map<String, List<Tally>> operations = new LinkedHashMap<>();
        for (PhaseSeries phase : run.phases()) {
            for (int i = 0; i < phase.names().size(); i++) {
                operations
                        .computeIfAbsent(phase.names().get(i), name -> new ArrayList<>())
                        .add(phase.operations().get(i));
            }
        }
        operations
                .entrySet()
                .removeIf(of -> of.getValue().stream().anyMatch(phase -> phase.succeeded() > 0)
                        && !conflictWithFirst(run, of.getKey()));
        return operations.entrySet().stream()
                .map(of -> failing(run, of.getKey(), of.getValue()))
                .filter(of -> of.requests() >= LEAST)
                .toList();
    }

    /** Whether an operation's requests succeed only until the first conflict, as those that make the same thing do. */
    static boolean conflictWithFirst(RunSeries run, String name) {
        List<PhaseSeries> phases = run.phases().stream()
                .filter(phase -> phase.names().contains(name))
                .map(phase -> phase.only(phase.names().indexOf(name)))
                .toList();
        List<Tally> all = phases.stream().map(PhaseSeries::all).toList();
        List<Second> seconds =
                phases.stream().flatMap(phase -> phase.seconds().stream()).toList();
        long before = seconds.stream().takeWhile(second -> second.failed() == 0).count();
        return all.stream().allMatch(of -> Set.of(CONFLICT)
                        .containsAll(of.failures().keySet()))
                && sum(all, Tally::succeeded) <= MOST_FIRST * sum(all, Tally::requests)
                && seconds.stream().skip(before + 1).allMatch(second -> second.succeeded() == 0);
    }

    private static long sum(List<Tally> phases, ToLongFunction<Tally> count) {
        return phases.stream().mapToLong(count).sum();
    }

    private static Failing failing(RunSeries run, String name, List<Tally> phases) {
        Map<Cause, Tally.Failures> causes = new TreeMap<>();
        for (Tally phase : phases) {
            phase.failures().forEach((cause, of) -> causes.merge(behind(run, name, cause), of, Tally.Failures::plus));
        }
        return new Failing(name, sum(phases, Tally::succeeded), sum(phases, Tally::failed), causes);
    }

    /** The status, where a check of another one is what fails. */
    private static Cause behind(RunSeries run, String name, Cause cause) {
        if (!cause.isCheck()) {
            return cause;
        }
        int[] statuses = run.phases().stream()
                .flatMap(phase -> phase.facts().stream())
                .filter(facts -> facts.name().equals(name))
                .flatMap(facts -> facts.failures().stream())
                .filter(of -> of.outcome().cause().equals(cause))
                .mapToInt(SampledRequest::status)
                .distinct()
                .toArray();
        return statuses.length == 1 && statuses[0] >= 400 ? Cause.ofStatus(statuses[0]) : cause;
    }

    private static String said(Cause cause, String detail) {
        return cause.status().isPresent()
                ? String.valueOf(cause.status().getAsInt())
                : cause.isCheck() || detail.isEmpty() ? cause.key() : detail;
    }
}
