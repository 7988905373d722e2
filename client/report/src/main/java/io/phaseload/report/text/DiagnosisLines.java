package io.phaseload.report.text;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.report.cells.Significant;
import io.phaseload.result.Latency;
import io.phaseload.result.Result;
import io.phaseload.verdict.rules.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The explanations of a run's failures and slow responses, in sentences. */
public final class DiagnosisLines {

    /** A p99 of as many medians, and longer by as much, isn't passed over. */
    private static final int FAR = 10;

    private static final Duration LONG = Duration.ofMillis(100);

    private DiagnosisLines() {}

    /** The texts of a diagnosis. */
    public record Line(Diagnosis found) {

        private static final String CHECK = " To make sure, ";

        /** The end of the first statement; names in quotes may contain the same characters. */
        private static final Pattern END = Pattern.compile("(?<= )'[^']*'|[:;.] ");

        /** The whole statement. */
        public String claim() {
            return DiagnosisLines.claim(found);
        }

        /** The first part of the statement, with its phase and its confidence. */
        public String headline() {
            String text = found.text();
            String first = text.substring(0, end()).replaceFirst("[.]$", "");
            return Character.toUpperCase(first.charAt(0))
                    + first.substring(1)
                    + found.phase().map(phase -> " in " + phase).orElse("")
                    + " – "
                    + found.confidence().name().toLowerCase(Locale.ROOT);
        }

        /** The rest of the statement; may be empty. */
        public String evidence() {
            String rest = found.text().substring(end()).replaceFirst("^[:;.] ", "");
            String sentence = rest.isEmpty() ? "" : Character.toUpperCase(rest.charAt(0)) + rest.substring(1);
            return Stream.concat(Stream.of(sentence), follows(found))
                    .filter(of -> !of.isEmpty())
                    .collect(Collectors.joining(" "));
        }

        /** The change to make. */
        public String action() {
            return found.advice().split(CHECK, 2)[0];
        }

        /** The way to make sure; may be empty. */
        public String check() {
            String[] parts = found.advice().split(CHECK, 2);
            return parts.length == 1 ? "" : Character.toUpperCase(parts[1].charAt(0)) + parts[1].substring(1);
        }

        private int end() {
            Matcher matcher = END.matcher(found.text());
            while (matcher.find()) {
                if (!matcher.group().startsWith("'")) {
                    return matcher.start();
                }
            }
            return found.text().length();
        }

        /** Both, one after the other. */
        @Override
        public String toString() {
            return claim() + " " + found.advice();
        }
    }

    /**
     * The diagnoses.
     *
     * @param result of a run
     * @return the diagnoses, the largest first; empty if there is none
     */
    public static List<Line> of(Result result) {
        return result.diagnoses().stream().map(Line::new).toList();
    }

    /**
     * The text if there is none.
     *
     * @param result of a run
     * @param verdict the place of the verdict, such as {@code below}
     * @return the rest of a sentence that begins with "Diagnosis:"
     */
    public static String none(Result result, String verdict) {
        if (result.verdict().blamesClient()) {
            return "the client itself was the limit (see %s), so times say nothing of the target.".formatted(verdict);
        }
        if (result.totals().failed() > 0) {
            return "no known pattern explains the failures.";
        }
        Optional<String> slow = slow(result.totals().response());
        if (slow.isPresent()) {
            return slow.get();
        }
        if (Headline.isUnsteady(result)) {
            return "no known pattern explains the throughput, which isn't steady (see %s).".formatted(verdict);
        }
        return result.verdict().findings().stream().anyMatch(of -> of.id().equals(Rule.OFFERED_LOAD.id()))
                ? "the load wasn't offered as asked for (see %s), so times are those of another one.".formatted(verdict)
                : "nothing stands out.";
    }

    /** Times that a healthy service has rarely, in words; empty if there are none. */
    private static Optional<String> slow(Latency times) {
        Optional<Duration> median = times.p50().value();
        return times.p99()
                .value()
                .filter(p99 -> median.isPresent()
                        && p99.compareTo(median.get().multipliedBy(FAR)) >= 0
                        && p99.minus(median.get()).compareTo(LONG) >= 0)
                .map(p99 -> "no known pattern explains the slow responses: p99 is %s ms, the median %s ms."
                        .formatted(
                                Significant.text(p99.toNanos() / 1e6),
                                Significant.text(median.get().toNanos() / 1e6)));
    }

    static List<String> text(Result result) {
        List<Line> found = of(result);
        if (found.isEmpty()) {
            return List.of("Diagnosis: " + none(result, "the verdict"));
        }
        List<String> lines = new ArrayList<>();
        for (Line line : found) {
            lines.add((lines.isEmpty() ? "Diagnosis: " : "Also: ") + line.claim());
            lines.add("  " + line.found().advice());
        }
        return lines;
    }

    public static String claim(Diagnosis found) {
        return found.phase().map(phase -> phase + ": ").orElse("")
                + found.text()
                + " ("
                + found.id()
                + ", "
                + found.confidence().name().toLowerCase(Locale.ROOT)
                + ")"
                + follows(found).map(one -> " " + one).collect(Collectors.joining());
    }

    private static Stream<String> follows(Diagnosis found) {
        return found.follows().stream().map(one -> "From this follows " + one);
    }
}
