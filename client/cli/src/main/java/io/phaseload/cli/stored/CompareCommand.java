package io.phaseload.cli.stored;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.FormatOptions;
import io.phaseload.cli.folders.ReportFiles;
import io.phaseload.compare.Comparison;
import io.phaseload.compare.Comparison.Tolerance;
import io.phaseload.compare.ComparisonJson;
import io.phaseload.compare.Side;
import io.phaseload.options.PercentHandler;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Phase;
import io.phaseload.report.ComparisonPage;
import io.phaseload.report.junit.TestSuites;
import io.phaseload.report.tables.runs.ComparisonTables;
import io.phaseload.report.text.runs.ComparisonReport;
import io.phaseload.verdict.Verdict;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload compare}: what changed between runs, and how certain that is. */
public final class CompareCommand implements CommandBean {

    private static final int DEFAULT_TOLERANCE = 5;
    private static final int SHOWN_DIFFERENCES = 5;

    @Argument(
            metaVar = "A B...",
            usage = "a results folder; or several, as trials of the same thing: separated by commas, or a folder"
                    + " that they are in; or sweeps, step by step")
    private List<String> sides = new ArrayList<>();

    @Option(name = "--only")
    private String only;

    @Option(name = "--tolerance", handler = PercentHandler.class)
    private Double tolerance;

    @Option(name = "--failures-tolerance", handler = PercentHandler.class)
    private Double failuresTolerance = 0.1;

    @Option(name = "--fail-on-regression", handler = PercentHandler.class)
    private Double limit;

    @Option(name = "--force")
    private boolean force;

    private final FormatOptions format = new FormatOptions();
    private final ReportFiles.ReportFileOptions asked = new ReportFiles.ReportFileOptions();

    @Override
    public List<?> more() {
        return List.of(format, asked);
    }

    @Override
    public int execute(Console console) {
        checkOptions();
        ComparedSides wanted = new ComparedSides(sides, force);
        ReportFiles files = ReportFiles.of(wanted.folders(), asked);
        List<List<Side>> all = wanted.read();
        List<Comparison> comparisons = new ArrayList<>();
        for (List<Side> sides : all) {
            for (Side other : sides.subList(1, sides.size())) {
                comparisons.add(comparison(sides.get(0), other));
            }
        }
        if (!force && hasInvalid(all.stream().flatMap(List::stream).toList(), console.err())) {
            return ExitCode.INVALID;
        }
        String report = format.of(
                () -> ComparisonJson.write(comparisons, Optional.ofNullable(limit())),
                () -> joined(comparisons, ComparisonReport::markdown),
                columns -> joined(comparisons, one -> ComparisonReport.text(one, columns)));
        console.print(format.isJson(), report);
        return files.write(
                () -> ComparisonPage.write(comparisons),
                ComparisonPage.about(comparisons),
                () -> ComparisonTables.of(comparisons),
                () -> comparisons.stream()
                        .map(one -> TestSuites.of(one, limit()))
                        .toList(),
                judge(comparisons, console.err()),
                console.err());
    }

    private void checkOptions() {
        UsageException.throwIf(sides.size() < 2, "compare: expected two or more results folders");
        format.check();
        UsageException.throwIf(asked.hasJunit() && limit == null, "--junit needs --fail-on-regression");
        if (limit != null && tolerance != null && tolerance > limit) {
            throw new UsageException("--tolerance %s%%: expected at most --fail-on-regression, which is %s%%"
                    .formatted(tolerance, limit));
        }
    }

    private Comparison comparison(Side a, Side b) {
        List<String> known = a.trials().get(0).run().plan().phases().stream()
                .map(Phase::name)
                .toList();
        Optional<List<String>> only = Optional.ofNullable(this.only).map(list -> Checked.some("--only", list, known));
        Comparison comparison = Comparison.of(a, b, only, tolerance());
        List<String> differences = comparison.differences();
        if (!differences.isEmpty() && !force) {
            String more = differences.size() <= SHOWN_DIFFERENCES
                    ? ""
                    : "; and %d more".formatted(differences.size() - SHOWN_DIFFERENCES);
            throw new UsageException(
                    "compare %s %s: expected runs of the same plan, or --force; they differ in %s%s",
                    a.name(),
                    b.name(),
                    differences.stream().limit(SHOWN_DIFFERENCES).collect(Collectors.joining("; ")),
                    more);
        }
        if (comparison.changes().isEmpty()) {
            throw new UsageException("compare %s %s: expected a phase and an operation that both have; --only names"
                            .formatted(a.name(), b.name())
                    + " phases that are left out otherwise");
        }
        return comparison;
    }

    /** A figure that is worse than allowed must not be called the same. */
    private Tolerance tolerance() {
        double relative =
                tolerance != null ? tolerance : limit == null ? DEFAULT_TOLERANCE : Math.min(DEFAULT_TOLERANCE, limit);
        return new Tolerance(relative / 100, failuresTolerance);
    }

    private static boolean hasInvalid(List<Side> sides, PrintStream err) {
        boolean found = false;
        for (Side.Trial trial :
                sides.stream().flatMap(side -> side.trials().stream()).toList()) {
            Verdict verdict = trial.result().verdict();
            if (verdict.status() == Verdict.Status.INVALID) {
                err.println("compare %s: its verdict is INVALID, --force compares it anyway: %s"
                        .formatted(trial.folder(), String.join(" ", verdict.texts())));
                found = true;
            }
        }
        return found;
    }

    private static String joined(List<Comparison> comparisons, Function<Comparison, String> report) {
        return comparisons.stream().map(report).collect(Collectors.joining("\n"));
    }

    private Tolerance limit() {
        return limit == null ? null : new Tolerance(limit / 100, failuresTolerance);
    }

    /** Reasons go to standard error, so that standard output is only the report. */
    private int judge(List<Comparison> comparisons, PrintStream err) {
        if (limit == null) {
            return ExitCode.PASSED;
        }
        List<String> regressions = comparisons.stream()
                .flatMap(one -> ComparisonReport.regressions(one, limit()).stream())
                .toList();
        regressions.forEach(err::println);
        return regressions.isEmpty() ? ExitCode.PASSED : ExitCode.REGRESSION;
    }
}
