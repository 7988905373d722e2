package io.phaseload.cli.run;

import io.phaseload.cli.command.CliCommand;
import io.phaseload.cli.command.CommandHelp;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.Texts;
import io.phaseload.cli.foreign.ForeignOptions;
import io.phaseload.options.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
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
public final class PlanCommand implements CliCommand {

    private static final Set<String> LISTED = Set.of("--check", "--trace", "--json", "--color", "--help", "--version");

    /** The options of {@code run}, and its own. */
    static final class PlanCommandOptions implements MoreOptions {

        @Option(
                name = "--check",
                usage = "prints only what the plan has for nothing: data, variables, extracted values; the exit code"
                        + " is 2 if there is any")
        private boolean check;

        @Option(
                name = "--trace",
                usage = "sends the requests of one user, one iteration of each scenario, and prints them with their"
                        + " responses and the values taken from these")
        private boolean trace;

        private final RunOptions run = new RunOptions();

        @Override
        public List<?> more() {
            return List.of(run.plan, run.common, run.part, run.cluster, run.common.general);
        }
    }

    private final PrintStream out;

    public PlanCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public int run(String... arguments) {
        PlanCommandOptions given = new PlanCommandOptions();
        OptionParser parser = ForeignOptions.parse(given, arguments);
        RunOptions options = given.run;
        CommonOptions common = options.common;
        if (common.general.answer(out, parser, this::help)) {
            return ExitCode.PASSED;
        }
        common.refuseResults(parser, "plan");
        options.cluster.refuse("plan runs nothing, so it needs none");
        RunPlan wanted = new RunPlan(options.plan.settings());
        Optional<URI> url = wanted.url();
        LocalTarget local = wanted.local();
        Plan plan = PlanPart.of(
                        wanted.against(url.orElse(RunCommand.NOT_STARTED_YET)),
                        options.part.once,
                        options.part.scenario)
                .plan();
        if (given.check || given.trace) {
            wanted.checkDataOf(plan);
        }
        if (given.check) {
            return check(plan);
        }
        if (given.trace) {
            UsageException.throwIf(url.isEmpty(), "--trace: expected --url, the address to send requests to");
            return new Trace(plan, out).run();
        }
        ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(wanted.json(plan));
        wanted.settings().one(Setting.AWS_SIGV4).ifPresent(spec -> json.withObject("/target")
                .put("awsSigv4", spec.text()));
        if (url.isEmpty()) {
            started(json.withObject("/target"), local);
        }
        String text = common.json ? json.toPrettyString() + "\n" : PlanFile.yaml(json.toString());
        Texts.print(text, out);
        return ExitCode.PASSED;
    }

    @Override
    public Help help() {
        return CommandHelp.of("plan").with(new PlanCommandOptions(), option -> LISTED.contains(option.name()));
    }

    private int check(Plan plan) {
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
