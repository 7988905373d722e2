package io.phaseload.live;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.TraceContext;
import io.phaseload.plan.KeptDetails;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.Result;
import io.phaseload.result.store.StoredRun;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The verdict and the diagnoses of a run so far, by the files that it has written. */
final class Judgement {

    /** True of each run that goes on. */
    private static final Set<String> OF_THE_END = Set.of("unfinished", "interrupted");

    private static final int MOST_KEPT = 10;

    private Judgement() {}

    static String of(Path folder) throws IOException {
        Result result = StoredRun.read(folder).result();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("requests", result.totals().requests());
        List<Finding> findings = result.verdict().findings().stream()
                .filter(finding -> !OF_THE_END.contains(finding.id()))
                .toList();
        Verdict verdict = new Verdict(
                findings.stream()
                        .map(Finding::severity)
                        .max(Verdict.Status::compareTo)
                        .orElse(Verdict.Status.VALID),
                findings);
        json.put("status", verdict.status().name());
        ArrayNode reasons = json.putArray("reasons");
        findings.stream()
                .filter(finding -> finding.severity() != Verdict.Status.VALID)
                .forEach(finding -> reasons.add(finding.text()));
        ArrayNode diagnoses = json.putArray("diagnoses");
        for (Diagnosis diagnosis : result.diagnoses()) {
            diagnoses
                    .addObject()
                    .put("confidence", diagnosis.confidence().name().toLowerCase(Locale.ROOT))
                    .put("text", in(diagnosis.phase().orElse("")) + diagnosis.text())
                    .put("advice", diagnosis.advice());
        }
        KeptDetails details = result.plan().target().details();
        List<OperationResult> operations = result.phases().stream()
                .flatMap(phase -> phase.operations().stream())
                .toList();
        kept(
                json.putArray("failed"),
                operations.stream().flatMap(of -> of.failedRequests().stream()),
                Comparator.comparing(KeptRequest::at),
                details);
        kept(
                json.putArray("slowest"),
                operations.stream().flatMap(of -> of.slowestRequests().stream()),
                Comparator.comparingDouble((KeptRequest of) -> of.times().responseMs())
                        .reversed(),
                details);
        return json.toString();
    }

    private static void kept(
            ArrayNode json, Stream<KeptRequest> requests, Comparator<KeptRequest> order, KeptDetails details) {
        requests.sorted(order).limit(MOST_KEPT).forEach(of -> json.addObject()
                .put("at", of.at().toString())
                .put("request", of.request())
                .put("responseMs", of.times().responseMs())
                .put("cause", of.cause().orElse(null))
                .put("message", of.message().orElse(null))
                .put("trace", of.trace().map(TraceContext::traceId).orElse(null))
                .put(
                        "traceUrl",
                        of.trace()
                                .flatMap(trace -> details.url(trace.traceId()))
                                .orElse(null)));
    }

    private static String in(String phase) {
        return phase.isEmpty() ? "" : phase + ": ";
    }
}
