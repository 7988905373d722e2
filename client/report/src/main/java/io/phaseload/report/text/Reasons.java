package io.phaseload.report.text;

import io.phaseload.report.cells.Significant;
import io.phaseload.result.Result;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.rules.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reasons of a verdict: one line for each cause, with the phases that show it. */
public final class Reasons {

    private static final Map<String, String> UNITS = Map.of("Percent", " %", "Seconds", " s", "Ms", " ms");

    private Reasons() {}

    /**
     * A cause.
     *
     * @param claim its name with its phases, such as {@code Other processes used the CPU: loading 81 %, peak 57 %}
     * @param advice the change that removes it; empty if a line before it says the same
     */
    public record Line(String claim, String advice) {}

    /**
     * The causes of a verdict.
     *
     * @param result of a run
     * @return the most severe first, then in the order of the run
     */
    public static List<Line> of(Result result) {
        List<Line> lines = new ArrayList<>();
        Set<String> given = new HashSet<>();
        result.verdict().findings().stream()
                .sorted(Comparator.comparing(Finding::severity).reversed())
                .collect(Collectors.groupingBy(
                        of -> title(of).orElse(of.text()), LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(cause -> lines.add(line(cause, given)));
        return lines;
    }

    private static Line line(List<Finding> cause, Set<String> given) {
        Finding first = cause.get(0);
        String text = first.text();
        int end = text.indexOf(". ");
        String advice = end < 0 ? "" : text.substring(end + 2);
        // The first words name the change: "Stop other processes, or use more cores."
        String change = advice.split("[,.]", 2)[0].replace("Stop them", "Stop other processes");
        String claim = title(first)
                .map(title -> title + ": "
                        + cause.stream().map(Reasons::where).distinct().collect(Collectors.joining(", ")))
                .orElse(end < 0 ? text : text.substring(0, end));
        return new Line(claim, given.add(change) ? advice : "");
    }

    /** Such as {@code peak 57 %}; the finding of an agent begins with its name. */
    private static String where(Finding of) {
        String phase = of.phase().orElseThrow();
        String before = of.text().substring(0, Math.max(0, of.text().indexOf(phase + ": ")));
        return before
                + phase
                + of.evidence().entrySet().stream()
                        .filter(figure -> figure.getValue().doubleValue() != 0)
                        .flatMap(figure -> UNITS.entrySet().stream()
                                .filter(unit -> figure.getKey().endsWith(unit.getKey()))
                                .map(unit ->
                                        " " + Significant.text(figure.getValue().doubleValue()) + unit.getValue()))
                        .findFirst()
                        .orElse("");
    }

    /** The cause in a few words; empty where only the finding's own text says it. */
    private static Optional<String> title(Finding of) {
        return of.phase().isEmpty() ? Optional.empty() : title(of.id());
    }

    /** The title of a rule's findings; empty if each stands for itself. */
    public static Optional<String> title(String id) {
        return Stream.of(Rule.values())
                .filter(rule -> rule.id().equals(id))
                .map(Rule::title)
                .filter(title -> !title.isEmpty())
                .findFirst();
    }
}
