package io.phaseload.cli.stored;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Sweeps;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.options.UsageException;
import io.phaseload.report.text.runs.DescriptionReport;
import io.phaseload.sweep.SweepResult;
import io.phaseload.sweep.summary.TrialDescription;
import java.util.ArrayList;
import java.util.List;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload describe}: the trials of sweeps, in eight numbers per figure. */
public final class DescribeCommand implements CommandBean {

    @Argument(metaVar = "DIR", usage = "sweeps' folders")
    private List<String> folders = new ArrayList<>();

    @Option(name = "--by")
    private String by;

    @Option(name = "--figures")
    private String figures;

    @Option(name = "--derive")
    private List<String> derived = new ArrayList<>();

    @Option(name = "--csv")
    private boolean csv;

    @Option(name = "--json")
    private boolean json;

    @Override
    public int execute(Console console) {
        UsageException.throwIf(csv && json, "--csv cannot be combined with --json");
        UsageException.throwIf(folders.isEmpty(), "describe: expected one or more sweeps' folders");
        SweepResult sweep = Sweeps.read("describe", folders, derived);
        TrialDescription description = TrialDescription.of(
                sweep.rows(),
                by == null ? List.of() : Checked.some("--by", by, sweep.trials().columns()),
                figures == null
                        ? TrialDescription.usualFigures(sweep.trials())
                        : Checked.some("--figures", figures, sweep.trials().columns()));
        console.print(text(description));
        return ExitCode.PASSED;
    }

    private String text(TrialDescription description) {
        if (csv) {
            return DescriptionReport.csv(description);
        }
        return json ? DescriptionReport.json(description) : DescriptionReport.table(description, Terminal.columns());
    }
}
