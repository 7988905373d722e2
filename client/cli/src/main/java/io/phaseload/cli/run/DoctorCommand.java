package io.phaseload.cli.run;

import io.phaseload.cli.command.CliCommand;
import io.phaseload.cli.command.CommandHelp;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.doctor.Examination;
import io.phaseload.cli.doctor.checks.Planned;
import io.phaseload.cli.foreign.ForeignOptions;
import io.phaseload.cli.terminal.Display;
import io.phaseload.options.CountHandler;
import io.phaseload.options.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import java.io.PrintStream;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.kohsuke.args4j.Option;

/** {@code phaseload doctor}: what is in the way of a run, before it starts. */
public final class DoctorCommand implements CliCommand {

    private static final Set<String> LISTED = Set.of("--probe", "--json", "--color", "--help", "--version");

    private static final int MOST_PROBES = 10_000;

    /** The options of {@code run} that say what is sent, and those of this command. */
    private static final class DoctorOptions implements MoreOptions {

        final PlanOptions plan = new PlanOptions(Set.of());
        final CommonOptions common = new CommonOptions();

        @Option(
                name = "--probe",
                metaVar = "N",
                handler = CountHandler.class,
                usage = "also sends requests to the target: up to 101 over one connection, then two over each of up"
                        + " to N (1 to 10000) connections at once; only GET, HEAD or OPTIONS of the plan")
        Integer probe;

        @Override
        public List<?> more() {
            return List.of(common, plan, common.general);
        }
    }

    private final PrintStream out;
    private final PrintStream err;

    public DoctorCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public int run(String... arguments) {
        DoctorOptions options = new DoctorOptions();
        OptionParser parser = ForeignOptions.parse(options, withPlan(arguments));
        CommonOptions common = options.common;
        if (common.general.answer(out, parser, this::help)) {
            return ExitCode.PASSED;
        }
        common.refuseResults(parser, "doctor");
        if (options.probe != null && options.probe > MOST_PROBES) {
            throw new UsageException("--probe " + options.probe + ": expected a whole number of 1 to " + MOST_PROBES);
        }
        RunPlan wanted = new RunPlan(options.plan.settings());
        Optional<URI> url = wanted.url();
        wanted.local();
        Plan plan = wanted.signed(RunCommand.NOT_STARTED_YET);
        if (Heap.isTooSmall(List.of(plan), err)) {
            return ExitCode.INTERNAL_ERROR;
        }
        Planned planned = new Planned(plan, url.isEmpty());
        int probe = options.probe == null ? 0 : options.probe;
        try {
            Examination examination = common.json
                    ? Examination.asJson(planned, probe, out)
                    : Examination.printed(planned, probe, out, true, Display.of(common.general.color()));
            return examination.passed() ? ExitCode.PASSED : ExitCode.USAGE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        }
    }

    /** A file in the first place is a plan. */
    private static String[] withPlan(String... arguments) {
        boolean plan = arguments.length > 0
                && !arguments[0].startsWith("-")
                && !ForeignOptions.isAddress(arguments[0])
                && ForeignOptions.addressOf(arguments[0]).isEmpty();
        return plan ? Stream.concat(Stream.of("--plan"), Stream.of(arguments)).toArray(String[]::new) : arguments;
    }

    @Override
    public Help help() {
        return CommandHelp.of("doctor").with(new DoctorOptions(), option -> LISTED.contains(option.name()));
    }
}
