package io.phaseload.cli.terminal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Colours the lines of a report. */
final class Colours {

    private static final String RED = "31";
    private static final String GREEN = "32";
    private static final String YELLOW = "33";
    private static final Map<Pattern, String> LINES = new LinkedHashMap<>();

    /** In the first line of a table. */
    private static final Pattern FAILED = Pattern.compile("phase  .*  failed(?=  |$)");

    private static final Pattern COUNT = Pattern.compile("(?<= )[1-9]\\d*$");

    static {
        LINES.put(Pattern.compile("Verdict: VALID"), GREEN);
        LINES.put(Pattern.compile("Verdict: SUSPECT"), YELLOW);
        LINES.put(Pattern.compile("Verdict: .*|No request succeeded.*"), RED);
        LINES.put(
                Pattern.compile("Diagnosis: nothing stands out\\.|.*: these figures can be trusted\\.|  PASS .*"),
                GREEN);
        LINES.put(
                Pattern.compile("(Diagnosis|Also): .*|.*: (don't rely on these figures yet|right, but not .*)\\."),
                YELLOW);
        LINES.put(Pattern.compile(".*: don't use these figures\\.|  FAIL .*|Failed thresholds: .*"), RED);
        LINES.put(Pattern.compile("OK    [a-z-]+ +\\S.*"), GREEN);
        LINES.put(Pattern.compile("WARN  [a-z-]+ +\\S.*"), YELLOW);
        LINES.put(Pattern.compile("FAIL  [a-z-]+ +\\S.*"), RED);
        LINES.put(Pattern.compile("Failed requests: 0 .*|Thresholds: 0 of .*"), GREEN);
        LINES.put(Pattern.compile("Failed requests: .*|Thresholds: .*|Failures by .*"), RED);
    }

    /** The end of a table's column of failures, in the lines until an empty one; 0 elsewhere. */
    private int failed;

    private Colours() {}

    static String painted(String report) {
        Colours colours = new Colours();
        return report.lines().map(colours::line).collect(Collectors.joining("\n", "", "\n"));
    }

    private String line(String line) {
        Matcher head = FAILED.matcher(line);
        failed = head.lookingAt() ? head.end() : line.isEmpty() ? 0 : failed;
        Matcher count = COUNT.matcher(line.substring(0, Math.min(failed, line.length())));
        if (failed > 0 && count.find()) {
            return line.substring(0, count.start()) + coloured(RED, count.group()) + line.substring(failed);
        }
        return LINES.entrySet().stream()
                .filter(colour -> colour.getKey().matcher(line).matches())
                .findFirst()
                .map(colour -> coloured(colour.getValue(), line))
                .orElse(line);
    }

    private static String coloured(String colour, String text) {
        return "\033[" + colour + "m" + text + "\033[0m";
    }
}
