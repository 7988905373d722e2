package io.phaseload.diagnosis.responses;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.evidence.Statuses;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Tally;
import io.phaseload.verdict.Finding.About;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
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

    /** More operations are counted, and more details left out. */
    private static final int NAMED = 3;

    private static final String NONE = "none of the {requests:%d} requests of {operations} succeeded; {failed:%d} ";

    /** One for each way to fail. */
    public static final List<DiagnosisRule> RULES = List.of(
            rule(
                    "nothing-listens",
                    About.SERVER,
                    is(Cause.CONNECT_REFUSED),
                    "their connection was refused",
                    "found their connection refused: nothing listens at that address and port.",
                    "Start the target, or correct its address. To make sure, send one request from"
                            + " this machine: curl -v."),
            rule(
                    "no-connection",
                    About.NETWORK,
                    is(Cause.CONNECT_TIMEOUT, Cause.NO_ROUTE),
                    "no connection could be made in time, or there is no route to the host",
                    "got no connection: nothing answers at that address, or a firewall drops what" + " is sent there.",
                    "Check the address, the route and the firewalls on the way (security groups,"
                            + " network policies): nc -vz HOST PORT."),
            rule(
                    "unknown-host",
                    About.PLAN,
                    is(Cause.UNKNOWN_HOST),
                    "the target's name couldn't be resolved",
                    "couldn't be sent, because no address is known for the target's name: {detail}.",
                    "Correct the name, or look at /etc/hosts, the name server and the VPN: getent"
                            + " ahosts HOST. For one run, --resolve gives a name an address."),
            rule(
                    "no-tls",
                    About.SERVER,
                    is(Cause.TLS_FAILURE),
                    "TLS failed",
                    "failed in their TLS handshake: {detail}.",
                    "Trust the authority that signed the server's certificate (--cacert), give the"
                            + " certificate that it asks for (--cert, --key), or use http:// for a port"
                            + " without TLS. --insecure accepts any certificate of a test system."),
            rule(
                    "not-http",
                    About.PLAN,
                    is(Cause.MALFORMED_RESPONSE, Cause.NO_HTTP2),
                    "the response wasn't HTTP, or not HTTP/2 where that was asked for",
                    "got something back that isn't the HTTP they asked for: {detail}.",
                    "Check port, scheme and version: http:// on a port for TLS ends like this. To"
                            + " make sure, send one request: curl -v."),
            rule(
                    "always-closed",
                    About.SERVER,
                    is(Cause.RESET_BEFORE_RESPONSE),
                    "their connection was closed or reset before the first byte of a response",
                    "had their connection closed by the server without a response.",
                    "Read the server's log, and check port and scheme: http:// on a port for TLS"
                            + " may end like this. To make sure, send one request: curl -v."),
            rule(
                    "never-answered",
                    About.SERVER,
                    is(Cause.READ_TIMEOUT),
                    "no complete response came within the timeout",
                    "weren't answered within the timeout.",
                    "Run it with one user: if that times out, too, load isn't the reason. Read the"
                            + " server's log, or raise --timeout."),
            rule(
                    "never-delivered",
                    About.SERVER,
                    is(Cause.NOT_RECEIVED),
                    "a message that was sent wasn't received in time, over connections that stayed open",
                    "were sent, but didn't arrive at their receivers, whose connections were open.",
                    "Check that senders and receivers are in the same room or topic, that receivers have subscribed,"
                            + " and the form of the messages. To make sure, send one by hand (websocat), and read the"
                            + " server's log."),
            rule(
                    "credentials",
                    About.PLAN,
                    status(Statuses::wantsCredentials),
                    "their status is 401, 403 or 407",
                    "were answered with status {status}: the target wants credentials that they" + " don't have.",
                    "Give them with -u, --bearer-token or -H 'Authorization: …', or let a step of"
                            + " the plan log in. To make sure, send one request: curl -i."),
            rule(
                    "wrong-request",
                    About.PLAN,
                    status(NeverSucceeds::isWrongRequest),
                    "their status is another one of 400 to 499, but for 408 and 429",
                    "were answered with status {status}: the target doesn't take such requests.",
                    "Correct their path, method, headers or body. A plan's --trace shows what is"
                            + " sent and received. If the status is right, expect it: --expect status=…"),
            rule(
                    "always-fails",
                    About.SERVER,
                    status(status -> status >= 500),
                    "their status is 500 to 599",
                    "were answered with status {status}, whatever the load was.",
                    "Read the server's log, and send one request alone: curl -i. How the service"
                            + " behaves under load shows only when that succeeds."),
            rule(
                    "check-never-holds",
                    About.PLAN,
                    Cause::isCheck,
                    "a check didn't hold",
                    "failed {check}.",
                    "Compare one response with the check: curl -i, or a plan's --trace. One of them" + " is wrong."));

    /** An operation of which every request failed, in all phases together. */
    private record Failing(String name, long requests, Map<Cause, Tally.Failures> causes) {}

    private NeverSucceeds() {}

    private static DiagnosisRule rule(
            String id, About about, Predicate<Cause> causes, String because, String text, String advice) {
        String basis = "In the whole run no request of an operation succeeded, and at least 3 were sent. Of"
                + " its requests, 90 % or more failed because "
                + because
                + ".";
        Claim claim = new Claim(id, about, NONE + text, advice, basis);
        return new DiagnosisRule(
                claim, run -> judge(run, claim, causes).stream().toList());
    }

    private static Predicate<Cause> is(Cause... causes) {
        return Set.of(causes)::contains;
    }

    private static Predicate<Cause> status(IntPredicate such) {
        return cause -> cause.isStatus(such);
    }

    /** Neither a timeout nor a limit of the rate is the request's fault. */
    private static boolean isWrongRequest(int status) {
        return status >= 400 && status < 500 && status != 408 && status != 429 && !Statuses.wantsCredentials(status);
    }

    private static Optional<Diagnosis> judge(RunSeries run, Claim claim, Predicate<Cause> causes) {
        List<String> names = new ArrayList<>();
        Set<String> said = new LinkedHashSet<>();
        long requests = 0;
        long failed = 0;
        for (Failing operation : failing(run)) {
            Map<Cause, Tally.Failures> such = new TreeMap<>(operation.causes());
            such.keySet().removeIf(cause -> !causes.test(cause));
            long count = such.values().stream().mapToLong(Tally.Failures::count).sum();
            if (count >= SAME * operation.requests()) {
                names.add("'" + operation.name() + "'");
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
                said.equals(FORBIDDEN) ? Confidence.LIKELY : Confidence.CERTAIN,
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
        operations.values().removeIf(of -> of.stream().anyMatch(phase -> phase.succeeded() > 0));
        return operations.entrySet().stream()
                .map(of -> failing(of.getKey(), of.getValue()))
                .filter(of -> of.requests() >= LEAST)
                .toList();
    }

    private static Failing failing(String name, List<Tally> phases) {
        Map<Cause, Tally.Failures> causes = new TreeMap<>();
        for (Tally phase : phases) {
            phase.failures().forEach((cause, of) -> causes.merge(cause, of, Tally.Failures::plus));
        }
        return new Failing(name, phases.stream().mapToLong(Tally::requests).sum(), causes);
    }

    private static String said(Cause cause, String detail) {
        return cause.status().isPresent()
                ? String.valueOf(cause.status().getAsInt())
                : cause.isCheck() || detail.isEmpty() ? cause.key() : detail;
    }
}
