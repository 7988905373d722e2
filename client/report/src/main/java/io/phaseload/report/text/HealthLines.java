package io.phaseload.report.text;

import io.phaseload.measure.UsersTime;
import io.phaseload.plan.Plan;
import io.phaseload.report.notation.TextFormat;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.Result;
import io.phaseload.result.host.ClientUse;
import io.phaseload.result.host.ClientUse.SpanJson;
import io.phaseload.stats.ClientShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The lines about the client itself, and about its users' time. */
final class HealthLines {

    /** Further contaminated spans are counted, not listed. */
    private static final int MOST_SPANS = 5;

    private final List<PhaseResult> phases;
    private final List<ClientUse> clients;
    private final List<String> lines = new ArrayList<>();

    private HealthLines(Result result) {
        this.phases = result.phases().stream()
                .filter(phase -> phase.startedAt().isPresent())
                .toList();
        this.clients = phases.stream().map(PhaseResult::client).toList();
    }

    /** The lines, without their ends. */
    static List<String> of(Result result) {
        HealthLines of = new HealthLines(result);
        of.share(result);
        of.unknownShare(result.plan());
        of.stalls();
        of.users();
        of.notMeasured();
        return of.lines;
    }

    /** The client's own part of the measured phases' figures, where it is too much. */
    private void share(Result result) {
        result.measured()
                .clientShare()
                .map(ClientShare::overLimit)
                .filter(over -> !over.isEmpty())
                .ifPresent(over -> lines.add("The client's own part of the response times, at most: "
                        + over.entrySet().stream()
                                .map(each -> TextFormat.format("%.0f %% of %s", each.getValue(), each.getKey()))
                                .collect(Collectors.joining(", "))));
    }

    private void unknownShare(Plan plan) {
        if (plan.virtualThreads()) {
            lines.add("The client's own part of the response times: not measured on virtual threads");
        }
    }

    private void stalls() {
        long count = clients.stream().mapToLong(of -> of.stalls().count()).sum();
        long distorted =
                clients.stream().mapToLong(of -> of.contaminated().requests()).sum();
        if (count > 0) {
            double longest = clients.stream()
                    .mapToDouble(of -> of.stalls().longestMs())
                    .max()
                    .orElse(0);
            lines.add(TextFormat.format(
                    "Client stalls: %d, longest %.0f ms; %d requests distorted%s",
                    count, longest, distorted, distorted > 0 ? where() : ""));
        }
    }

    private String where() {
        List<SpanJson> spans = clients.stream()
                .flatMap(of -> of.contaminated().spans().stream())
                .toList();
        String seconds = spans.stream()
                .limit(MOST_SPANS)
                .map(span -> TextFormat.format("%.1f–%.1f", span.fromSeconds(), span.toSeconds()))
                .collect(Collectors.joining(", "));
        return TextFormat.format(
                " (at %s s%s)",
                seconds, spans.size() > MOST_SPANS ? ", and " + (spans.size() - MOST_SPANS) + " more" : "");
    }

    private void users() {
        Optional<UsersTime> all =
                clients.stream().flatMap(of -> of.usersTime().stream()).reduce(UsersTime::plus);
        if (all.isEmpty()) {
            return;
        }
        String absent = phases.stream()
                .filter(HealthLines::hasAbsent)
                .map(phase -> TextFormat.format(
                        "; only %d of %d users sent a request in %s",
                        phase.client().users().orElseThrow().tookPart(), phase.threads(), phase.name()))
                .collect(Collectors.joining());
        lines.add(TextFormat.format(
                "Users' time: %.1f %% in responses, connections and pauses%s",
                all.get().accounted() * 100, absent));
    }

    /** Where nothing succeeded, the failures say why. */
    private static boolean hasAbsent(PhaseResult phase) {
        return phase.figures().succeeded() > 0
                && phase.client()
                        .usersTime()
                        .filter(time -> time.tookPart() < time.users())
                        .isPresent();
    }

    /** For runs whose stalls were measured. */
    private void notMeasured() {
        boolean incomplete = clients.stream()
                .filter(client -> client.stalls().count() > 0 || client.users().isPresent())
                .anyMatch(client -> client.system().runQueueSeconds().isEmpty()
                        || client.system().stolenPercent().isEmpty());
        if (incomplete) {
            lines.add("Not measured on this system: time in the run queue, steal, throttling");
        }
    }
}
