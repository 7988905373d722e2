package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.phaseload.plan.Body;
import io.phaseload.plan.Check;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The JSON form of a plan, without its secrets. What isn't set is left out. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record PlanJson(
        String name,
        TargetJson target,
        List<OperationJson> operations,
        int threads,
        List<PhaseJson> phases,
        String model,
        boolean virtualThreads,
        Map<String, String> labels) {

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record TargetJson(
            String url,
            List<Header> headers,
            double connectTimeoutMs,
            double responseTimeoutMs,
            boolean insecure) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record OperationJson(
            String name,
            String method,
            String path,
            List<Header> headers,
            String body,
            String bodyBase64,
            List<String> checks) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record PhaseJson(String name, double share, Long iterations, Double durationMs) {}

    static PlanJson of(Plan plan) {
        return new PlanJson(
                plan.name(),
                target(plan.target()),
                plan.scenario().operations().stream().map(PlanJson::operation).toList(),
                plan.threads(),
                plan.phases().stream().map(PlanJson::phase).toList(),
                "closed",
                plan.virtualThreads(),
                plan.labels());
    }

    private static TargetJson target(Target target) {
        return new TargetJson(
                Secrets.redactQuery(target.uri().toString()),
                target.headers().stream().map(Secrets::redact).toList(),
                millis(target.connectTimeout()),
                millis(target.responseTimeout()),
                target.insecure());
    }

    private static OperationJson operation(Operation operation) {
        String text = operation.body().flatMap(Body::text).orElse(null);
        String base64 =
                text != null || operation.body().isEmpty()
                        ? null
                        : Base64.getEncoder().encodeToString(operation.body().get().bytes());
        return new OperationJson(
                Secrets.redactQuery(operation.name()),
                operation.method(),
                Secrets.redactQuery(operation.path()),
                operation.headers().stream().map(Secrets::redact).toList(),
                text,
                base64,
                operation.checks().stream().map(Check::toString).toList());
    }

    private static PhaseJson phase(Phase phase) {
        return new PhaseJson(
                phase.name(),
                phase.share(),
                phase.length() instanceof PhaseLength.Iterations counted ? counted.perUser() : null,
                phase.length() instanceof PhaseLength.Lasting timed
                        ? millis(timed.duration())
                        : null);
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
