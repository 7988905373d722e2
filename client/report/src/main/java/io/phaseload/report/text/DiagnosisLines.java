package io.phaseload.report.text;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.result.Result;
import io.phaseload.verdict.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The explanations of a run's failures and slow responses, in sentences. */
public final class DiagnosisLines {

    private DiagnosisLines() {}

    /** The texts of each diagnosis. */
    public record Line(String claim, String advice) {

        /** Both, one after the other. */
        @Override
        public String toString() {
            return claim + " " + advice;
        }
    }

    /**
     * The diagnoses.
     *
     * @param result of a run
     * @return the diagnoses, the largest first; empty if there is none
     */
    public static List<Line> of(Result result) {
        return result.diagnoses().stream()
                .map(found -> new Line(claim(found), found.advice()))
                .toList();
    }

    /**
     * The text if there is none.
     *
     * @param result of a run
     * @return the rest of a sentence that begins with "Diagnosis:"
     */
    public static String none(Result result) {
        if (result.verdict().blamesClient()) {
            return "the client itself was the limit (see the verdict), so times say nothing of the target.";
        }
        if (result.totals().failed() > 0) {
            return "no known pattern explains the failures.";
        }
        return result.verdict().findings().stream().anyMatch(of -> of.id().equals(Rule.OFFERED_LOAD.id()))
                ? "the load wasn't offered as asked for (see the verdict), so times are those of another one."
                : "nothing stands out.";
    }

    static List<String> text(Result result) {
        List<Line> found = of(result);
        if (found.isEmpty()) {
            return List.of("Diagnosis: " + none(result));
        }
        List<String> lines = new ArrayList<>();
        for (Line line : found) {
            lines.add((lines.isEmpty() ? "Diagnosis: " : "Also: ") + line.claim());
            lines.add("  " + line.advice());
        }
        return lines;
    }

    static String claim(Diagnosis found) {
        return found.phase().map(phase -> phase + ": ").orElse("")
                + found.text()
                + " ("
                + found.id()
                + ", "
                + found.confidence().name().toLowerCase(Locale.ROOT)
                + ")"
                + found.follows().stream()
                        .map(one -> " From this follows " + one)
                        .collect(Collectors.joining());
    }
}
