package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.result.json.ResultJson;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** {@code phaseload plan}: what a run would do, in the form that {@code --plan} takes. */
final class PlanCommand {

    static final String HELP =
            """
            Prints what a run would do, with all defaults, as a file for --plan. Nothing is started;
            secrets are left out.

            Usage: phaseload plan [options of run]

              --json   JSON in place of YAML
              --help   phaseload run --help lists all others
            """;

    private static final YAMLMapper YAML =
            YAMLMapper.builder()
                    .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
                    .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
                    .disable(YAMLWriteFeature.SPLIT_LINES)
                    .build();

    private final PrintStream out;

    PlanCommand(PrintStream out) {
        this.out = out;
    }

    /** The exit code of what a command line asks for. */
    int run(String... arguments) throws UsageException {
        RunPlan wanted = RunPlan.parse(arguments);
        RunOptions options = wanted.options();
        if (options.help || options.briefHelp) {
            out.print(Help.full(HELP));
            return ExitCode.PASSED;
        }
        if (options.out != null || options.quiet) {
            throw new UsageException(
                    (options.quiet ? "--quiet" : "--out " + options.out)
                            + ": expected no results, since nothing is run");
        }
        Optional<URI> url = wanted.url();
        LocalTarget local = wanted.local();
        Plan plan = wanted.against(url.orElse(RunCommand.NOT_STARTED_YET));
        ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(ResultJson.write(plan));
        if (options.awsSigv4 != null) {
            json.withObject("/target").put("awsSigv4", options.awsSigv4);
        }
        if (url.isEmpty()) {
            started(json.withObject("/target"), local);
        }
        json.withArray("operations").forEach(PlanCommand::keepBody);
        String text = options.json ? json.toPrettyString() + "\n" : YAML.writeValueAsString(json);
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
        return ExitCode.PASSED;
    }

    /** A body that a file can't have as text, since it would be read as something else. */
    private static void keepBody(JsonNode operation) {
        String body = operation.path("body").asString("");
        if (!PlanSchema.isPlainBody(body)) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            ((ObjectNode) operation)
                    .put("bodyBase64", Base64.getEncoder().encodeToString(bytes))
                    .remove("body");
        }
    }

    /** There is no address before the target is there. */
    private static void started(ObjectNode target, LocalTarget local) {
        target.remove("url");
        target.put("kind", local.name());
        if (local instanceof LocalTarget.Lambda lambda) {
            if (lambda.instances() != null) {
                target.put("lambdaInstances", lambda.instances());
            }
            if (lambda.coldStart() != null) {
                target.put("lambdaColdStart", lambda.coldStart().toNanos() / 1_000 + "us");
            }
        }
    }
}
