package io.phaseload.cli.terminal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Colours the lines of a report. */
final class Colours {

    private static final String RED = "31";
    private static final String GREEN = "32";
    private static final String YELLOW = "33";
    private static final Map<Pattern, String> LINES = new LinkedHashMap<>();

    static {
        LINES.put(Pattern.compile("Verdict: VALID"), GREEN);
        LINES.put(Pattern.compile("Verdict: SUSPECT"), YELLOW);
        LINES.put(Pattern.compile("Verdict: .*|No request succeeded.*"), RED);
        LINES.put(Pattern.compile("OK    [a-z-]+ +\\S.*"), GREEN);
        LINES.put(Pattern.compile("WARN  [a-z-]+ +\\S.*"), YELLOW);
        LINES.put(Pattern.compile("FAIL  [a-z-]+ +\\S.*"), RED);
        LINES.put(Pattern.compile("Failed requests: 0 .*|Thresholds: 0 of .*"), GREEN);
        LINES.put(Pattern.compile("Failed requests: .*|Thresholds: .*|Failures by .*"), RED);
    }

    private Colours() {}

    static String painted(String report) {
        return report.lines().map(Colours::line).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String line(String line) {
        return LINES.entrySet().stream()
                .filter(colour -> colour.getKey().matcher(line).matches())
                .findFirst()
                .map(colour -> "\033[" + colour.getValue() + "m" + line + "\033[0m")
                .orElse(line);
    }
}
