package io.phaseload.cli;

import io.phaseload.cli.cluster.AgentCommand;
import io.phaseload.cli.cluster.ClockCommand;
import io.phaseload.cli.cluster.ServeCommand;
import io.phaseload.cli.command.CliCommand;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.decide.AbCommand;
import io.phaseload.cli.decide.CapacityCommand;
import io.phaseload.cli.decide.SoakCommand;
import io.phaseload.cli.prove.ProveCommand;
import io.phaseload.cli.run.DoctorCommand;
import io.phaseload.cli.run.PlanCommand;
import io.phaseload.cli.run.RunCommand;
import io.phaseload.cli.shell.CommandPage;
import io.phaseload.cli.shell.CompletionCommand;
import io.phaseload.cli.shell.ManCommand;
import io.phaseload.cli.stored.AuditCommand;
import io.phaseload.cli.stored.CompareCommand;
import io.phaseload.cli.stored.DescribeCommand;
import io.phaseload.cli.stored.ExplainCommand;
import io.phaseload.cli.stored.HistoryCommand;
import io.phaseload.cli.stored.MergeCommand;
import io.phaseload.cli.stored.ReportCommand;
import io.phaseload.cli.stored.ReproCommand;
import io.phaseload.cli.sweep.SweepCommand;
import io.phaseload.options.Help;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** All commands, in the order of the help. */
enum Command {
    RUN("run phases of load against a target (the default command)"),
    PLAN("print what a run would do, as a file for --plan, without running it"),
    DOCTOR("check before a run whether machine and target suit it"),
    SWEEP("run a grid of loads and parameters, in trials, with error bars"),
    AB("compare two targets or builds in alternating runs until it is clear"),
    CAPACITY("find the most load that a service takes, and whose limit it is"),
    SOAK("judge a long run by the slopes of its figures"),
    DESCRIBE("summarize a sweep's trials by any label"),
    REPORT("report on a run, or on part of it, from its folder"),
    MERGE("combine runs of the same requests into one result"),
    COMPARE("show what changed between runs, with error bars"),
    HISTORY("show runs of a plan over time, and when they changed"),
    REPRO("print a kept request of a run for curl, and send it again"),
    PROVE("check a run against its server's log, or the client itself"),
    AUDIT("judge another tool's result: k6, JMeter, vegeta, oha, Locust"),
    EXPLAIN("say how a finding of a report is concluded"),
    AGENT("run a part of the load that run --agents asks for"),
    CLOCK("compare the clocks of agents"),
    SERVE("run the Tomcat target in the foreground"),
    COMPLETION("print the completions of a shell"),
    MAN("write manual pages");

    private final String summary;

    Command(String summary) {
        this.summary = summary;
    }

    /** Finds a command by its name. */
    static Optional<Command> named(String name) {
        return Arrays.stream(values())
                .filter(command -> command.toString().equals(name))
                .findFirst();
    }

    /** The declaration of each. */
    static List<CommandPage> pages() {
        return Arrays.stream(values())
                .map(command -> new CommandPage(command.summary, command.help()))
                .toList();
    }

    /** Its purpose in one line. */
    String summary() {
        return summary;
    }

    /** Runs it and returns its exit code. */
    int run(Console console, String... options) {
        return command().run(console, options);
    }

    /** Its help, which is made of its options. */
    Help help() {
        return command().help();
    }

    private CliCommand command() {
        return new CliCommand(toString(), bean());
    }

    private CommandBean bean() {
        return switch (this) {
            case RUN -> new RunCommand();
            case PLAN -> new PlanCommand();
            case DOCTOR -> new DoctorCommand();
            case SWEEP -> new SweepCommand();
            case CAPACITY -> new CapacityCommand();
            case AB -> new AbCommand();
            case SOAK -> new SoakCommand();
            case DESCRIBE -> new DescribeCommand();
            case REPORT -> new ReportCommand();
            case MERGE -> new MergeCommand();
            case COMPARE -> new CompareCommand();
            case HISTORY -> new HistoryCommand();
            case REPRO -> new ReproCommand();
            case PROVE -> new ProveCommand();
            case AUDIT -> new AuditCommand();
            case EXPLAIN -> new ExplainCommand();
            case AGENT -> new AgentCommand();
            case CLOCK -> new ClockCommand();
            case SERVE -> new ServeCommand();
            case COMPLETION -> new CompletionCommand(Command::pages);
            case MAN -> new ManCommand(Command::pages);
        };
    }

    /** Its name. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
