package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Target;
import io.phaseload.result.PlanFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The plan of {@code --plan}. What isn't load may be said anew beside it: where to, the headers,
 * among them those whose values were secrets and so aren't in the file, labels and name.
 *
 * @param common reads the options that are allowed beside it
 */
record RepeatedPlan(RunOptions options, PlanFile file, RunPlan common, boolean named)
        implements PlanSource {

    private static final Set<String> ALLOWED_BESIDE =
            Set.of(
                    "--plan",
                    "--url",
                    "--target",
                    "--aws-sigv4",
                    "--header",
                    "--label",
                    "--server-metrics",
                    "--server-metric",
                    "--name",
                    "--threshold",
                    "--out",
                    "--json",
                    "--quiet");

    /**
     * Reads the file.
     *
     * @param given the long names of the options that were given
     */
    static RepeatedPlan of(RunOptions options, Set<String> given) throws UsageException {
        for (String option : given) {
            if (!ALLOWED_BESIDE.contains(option)) {
                throw new UsageException(option + ": expected no --plan beside it");
            }
        }
        Path path = Checked.value("--plan", options.plan, Path::of, "a file");
        try {
            PlanFile file = PlanFile.read(path);
            return new RepeatedPlan(options, file, new RunPlan(options), given.contains("--name"));
        } catch (IOException e) {
            throw new UsageException(
                    "--plan %s: expected a result.json, or a plan: %s"
                            .formatted(options.plan, e.getMessage()));
        }
    }

    @Override
    public Optional<URI> url() throws UsageException {
        Optional<URI> url = common.url();
        boolean started = options.target != null || file.targetKind() != null;
        return url.isPresent() || started ? url : Optional.of(file.plan().target().uri());
    }

    @Override
    public String target() {
        String started = options.target == null ? file.targetKind() : options.target;
        return started == null ? common.target() : started;
    }

    @Override
    public Plan against(URI uri) throws UsageException {
        Plan kept = file.plan();
        Map<String, Header> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        common.headers().forEach(header -> headers.put(header.name(), header));
        if (kept.labels().containsKey(Plan.SIGNED) && options.awsSigv4 == null) {
            throw new UsageException(
                    "--plan %s: its requests were signed: expected --aws-sigv4 beside it"
                            .formatted(options.plan));
        }
        for (String secret : file.redactedHeaders()) {
            if (!headers.containsKey(secret)) {
                throw new UsageException(
                        "--plan %s: its header %s was a secret: expected --header '%s: …' beside it"
                                .formatted(options.plan, secret, secret));
            }
        }
        for (String address : file.redactedAddresses()) {
            boolean saidAnew =
                    address.equals(kept.target().uri().toString())
                            ? !address.equals(uri.toString())
                            : options.serverMetricsAddress != null
                                    && kept.serverMetrics()
                                            .filter(own -> own.uri().toString().equals(address))
                                            .isPresent();
            if (!saidAnew) {
                throw new UsageException(
                        "--plan %s: %s: expected a copy of the file with the secret in it"
                                .formatted(options.plan, address));
            }
        }
        kept.target().headers().forEach(header -> headers.putIfAbsent(header.name(), header));
        Map<String, String> labels = new LinkedHashMap<>(kept.labels());
        labels.putAll(common.labels());
        List<Operation> operations =
                kept.scenario().operations().stream()
                        .map(operation -> withoutReplaced(operation, headers))
                        .toList();
        Plan plan =
                Checked.engine(
                        "--plan " + options.plan,
                        new Plan(
                                named ? options.name : kept.name(),
                                new Target(
                                        uri,
                                        List.copyOf(headers.values()),
                                        kept.target().connectTimeout(),
                                        kept.target().responseTimeout(),
                                        kept.target().insecure()),
                                new Scenario(operations),
                                kept.threads(),
                                kept.phases(),
                                kept.engine(),
                                kept.virtualThreads(),
                                kept.seed(),
                                labels,
                                common.serverMetrics().or(kept::serverMetrics),
                                kept.thresholds()));
        return options.thresholds.isEmpty() ? plan : common.judged(plan);
    }

    /** A header of an operation would win over one of the target's. */
    private Operation withoutReplaced(Operation operation, Map<String, Header> headers) {
        List<Header> own =
                operation.headers().stream()
                        .filter(
                                header ->
                                        !file.redactedHeaders().contains(header.name())
                                                || !headers.containsKey(header.name()))
                        .toList();
        return new Operation(
                operation.name(),
                operation.method(),
                operation.path(),
                own,
                operation.body(),
                operation.checks());
    }
}
