package io.phaseload.cli.run;

import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.foreign.ForeignOptions;
import io.phaseload.options.OptionParser;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.planfile.PlanFile;
import io.phaseload.settings.Setting;
import java.io.PrintStream;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.kohsuke.args4j.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code phaseload plan}: what a run would do, in the form that {@code --plan} takes. */
public final class PlanCommand implements CommandBean {

    private static final Set<String> LISTED = Set.of("--check", "--trace", "--json", "--color", "--help", "--version");

    @Option(name = "--check")
    private boolean check;

    @Option(name = "--trace")
    private boolean trace;

    private final RunOptions options = new RunOptions();
    private OptionParser parser;

    @Override
    public List<?> more() {
        return List.of(options.plan, options.common, options.part, options.cluster);
    }

    @Override
    public void parse(OptionParser of, String... arguments) {
        parser = of;
        ForeignOptions.parse(of, false, arguments);
    }

    @Override
    public boolean lists(OptionSpec option) {
        return LISTED.contains(option.name());
    }

    @Override
    public int execute(Console console) {
        options.common.refuseResults(parser, "plan");
        options.cluster.refuse("plan runs nothing, so it needs none");
        RunPlan wanted = new RunPlan(options.plan.settings());
        Optional<URI> url = wanted.url();
        LocalTarget local = wanted.local();
        Plan plan = PlanPart.of(
                        wanted.against(url.orElse(RunCommand.NOT_STARTED_YET)),
                        options.part.once,
                        options.part.scenario)
                .plan();
        if (check || trace) {
            wanted.checkDataOf(plan);
        }
        if (check) {
            return check(plan, console.out());
        }
        if (trace) {
            UsageException.throwIf(url.isEmpty(), "--trace: expected --url, the address to send requests to");
            return new Trace(plan, console.out()).run();
        }
        ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(wanted.json(plan));
        wanted.settings().one(Setting.AWS_SIGV4).ifPresent(spec -> json.withObject("/target")
                .put("awsSigv4", spec.text()));
        if (url.isEmpty()) {
            started(json.withObject("/target"), local);
        }
        console.print(options.common.json ? json.toPrettyString() + "\n" : PlanFile.yaml(json.toString()));
        return ExitCode.PASSED;
    }

    private static int check(Plan plan, PrintStream out) {
        List<String> unused = plan.scenario()
                .journeys()
                .map(journeys -> journeys.unused(plan.target()))
                .orElse(List.of());
        unused.forEach(name -> out.println(name + ": nothing takes it"));
        if (unused.isEmpty()) {
            out.println("OK: " + plan.scenario().operations().size() + " requests in the plan");
        }
        out.flush();
        return unused.isEmpty() ? ExitCode.PASSED : ExitCode.USAGE;
    }

    /** A target that isn't started yet has no address. */
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
