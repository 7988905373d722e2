package io.phaseload.cli.run;

import static io.phaseload.cli.Usage.wrong;

import io.phaseload.cli.Usage;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong with how much load a command line asks for. */
class LoadUsageTest {

    private static final String COUNT = "expected a whole number of 1 or more, such as 100 or 10k";
    private static final String TIME = "expected a time above 0, such as 250ms, 30s, 5m or 1h";
    private static final String LONGEST = "expected more than 0 and at most 30 days";
    private static final String PHASE_NAME = "a phase's name (lower-case letters, digits, - and _)";
    private static final String SHARE = "a share above 0 and at most 1";

    @TempDir
    private Path folder;

    static Stream<Arguments> quantities() {
        return Stream.of(
                wrong("--threads abc: " + COUNT, "--threads", "abc"),
                wrong("--threads 0: " + COUNT, "--threads", "0"),
                wrong("--threads -1: " + COUNT, "--threads", "-1"),
                wrong("--threads 1.5: " + COUNT, "--threads", "1.5"),
                wrong("--threads : " + COUNT, "--threads="),
                wrong("-c 0: " + COUNT, "-c", "0"),
                wrong("--threads 2000000: expected at most 1000000", "--threads", "2000000"),
                wrong("-c 2m: expected at most 1000000", "-c", "2m"),
                wrong("--iterations abc: " + COUNT, "--iterations", "abc"),
                wrong("--iterations 0: " + COUNT, "--iterations", "0"),
                wrong("-n -1: " + COUNT, "-n", "-1"),
                wrong("--iterations 1000000001: expected at most 1000000000", "--iterations", "1000000001"),
                wrong("--part x: expected a part such as 2/3, or 1,3/4", "--part", "x"),
                wrong("--part 3/2: expected turns of 1 to 2, ascending", "--part", "3/2"),
                wrong("--duration 5: " + TIME, "--duration", "5"),
                wrong("--duration 0s: " + TIME, "--duration", "0s"),
                wrong("--duration 2d: " + TIME, "--duration", "2d"),
                wrong("--duration 721h: " + LONGEST, "--duration", "721h"),
                wrong("--iterations 5 cannot be combined with --duration", "--iterations", "5", "--duration", "5s"),
                wrong("--connect-timeout 5: " + TIME, "--connect-timeout", "5"),
                wrong("--connect-timeout 0ms: " + TIME, "--connect-timeout", "0ms"),
                wrong("--connect-timeout 721h: " + LONGEST, "--connect-timeout", "721h"),
                wrong("--timeout -1s: " + TIME, "--timeout", "-1s"),
                wrong("--timeout 5 s: " + TIME, "--timeout", "5 s"),
                wrong("--timeout 721h: " + LONGEST, "--timeout", "721h"));
    }

    static Stream<Arguments> phases() {
        String item = "',', 'for', 'at' or the end";
        String length = "a time such as 30s, or a count and 'iterations' or 'requests'";
        String rate = "a rate such as 500/s or 10/s..500/s";
        return Stream.of(
                phases("", PHASE_NAME, 1),
                phases("  ", PHASE_NAME, 3),
                phases("=1", PHASE_NAME, 1),
                phases(",peak=1", PHASE_NAME, 1),
                phases("peak=1,", PHASE_NAME, 8),
                phases("peak=1, ,a=1", PHASE_NAME, 9),
                phases("warmup=0.1,Peak=1", PHASE_NAME, 12),
                phases("pe/ak=1", PHASE_NAME, 1),
                phases("peak", "'=' and a share", 5),
                phases("the peak=1", "'=' and a share", 5),
                phases("peak,a=1", "'=' and a share", 5),
                phases("peak=", SHARE, 6),
                phases("peak=,a=1", SHARE, 6),
                phases("peak= all", SHARE, 7),
                phases("peak=0", SHARE, 6),
                phases("peak=-0.5", SHARE, 6),
                phases("peak=+1", SHARE, 6),
                phases("peak=1.5", SHARE, 6),
                phases("peak=1.", SHARE, 6),
                phases("peak=1e-1", SHARE, 6),
                phases("peak=NaN", SHARE, 6),
                phases("peak=Infinity", SHARE, 6),
                phases("peak=0x1p0", SHARE, 6),
                phases("peak=1,peak=0.5", "a name that is not used yet", 8),
                phases("peak=1, a=1, peak=0.5 for 1s", "a name that is not used yet", 14),
                phases("peak=1=2", item, 7),
                phases("peak=1 30s", item, 8),
                phases("peak=1 For 30s", item, 8),
                phases("peak=1 for 30s x", "',', 'at' or the end", 16),
                phases("peak=1 for 30s for 40s", "',', 'at' or the end", 16),
                phases("peak=1 at 1/s at 2/s", "',', 'for' or the end", 15),
                phases("peak=1 at 1/s for 30s at 2/s", "',' or the end", 23),
                phases("peak=1 for", length, 11),
                phases("peak=1 for ,a=1", length, 12),
                phases("peak=1 for 30", length, 12),
                phases("peak=1 for 30 s", length, 12),
                phases("peak=1 for 0s", length, 12),
                phases("peak=1 for 721h", length, 12),
                phases("peak=1 for 0 iterations", length, 12),
                phases("peak=1 for 1.5 iterations", length, 12),
                phases("peak=1 for 30s iterations", length, 12),
                phases("peak=1 for 1001m iterations", length, 12),
                phases("peak=1 for 5 iteration_s", length, 12),
                phases("peak=1 at", rate, 10),
                phases("peak=1 at 500", rate, 11),
                phases("peak=1 at 0/s", rate, 11),
                phases("peak=1 at 500/d", rate, 11),
                phases("peak=1 at 500/s..", rate, 11),
                phases("peak=1 at ..500/s", rate, 11),
                phases("peak=1 at 10/s.. 500/s", rate, 11),
                phases("peak=1 at 1/s..2/s..3/s", rate, 11),
                phases("peak=1 at 11m/s", rate, 11),
                wrong(
                        "--phases peak=1,?=1: expected " + PHASE_NAME + " at character 8, found" + " '?=1'",
                        "--phases",
                        "peak=1,\u001b=1"));
    }

    static Stream<Arguments> loads() {
        String rate = "expected a rate such as 500/s, 1.5k/s or 30/m";
        String pause = "expected a time of 0s or more, such as 250ms, 30s, 5m or 1h";
        String open = " needs --rate or 'at' in --phases";
        return Stream.of(
                wrong("--seed x: expected a whole number of 0 or more, such as 100 or 10k", "--seed", "x"),
                wrong("--seed -1: expected a whole number of 0 or more, such as 100 or 10k", "--seed=-1"),
                wrong("--think 5: " + pause, "--think", "5"),
                wrong("--think : " + pause, "--think="),
                wrong("--think 1s..: " + pause, "--think", "1s.."),
                wrong("--think ..1s: " + pause, "--think", "..1s"),
                wrong("--think 1s..2s..3s: " + pause, "--think", "1s..2s..3s"),
                wrong("--think 2s..1s: expected 0 or more, the shorter one first", "--think", "2s..1s"),
                wrong("--think 721h: " + LONGEST, "--think", "721h"),
                wrong("--pacing -1s: " + pause, "--pacing", "-1s"),
                wrong("--think 1s needs a phase without 'at'", "--think", "1s", "--phases", "a=1 at 5/s,b=1 at 9/s"),
                wrong("--pacing 2s..1s: expected 0 or more, the shorter one first", "--pacing", "2s..1s"),
                wrong("--pacing 1s..2s cannot be combined with --think", "--think", "100ms", "--pacing", "1s..2s"),
                wrong("--ramp 0s: " + TIME, "--ramp", "0s"),
                wrong("--ramp 5: " + TIME, "--ramp", "5"),
                wrong("--ramp 721h: " + LONGEST, "--ramp", "721h"),
                wrong("--rate abc: " + rate, "--rate", "abc"),
                wrong("--rate 500: " + rate, "--rate", "500"),
                wrong("--rate 1/s..5/s: " + rate, "--rate", "1/s..5/s"),
                wrong("--rate 0/s: expected a rate above 0", "--rate", "0/s"),
                wrong("--rate 11m/s: expected at most 10,000,000/s", "--rate", "11m/s"),
                wrong(
                        "--rate 1/h: expected a rate that can be multiplied by the share of a",
                        "--rate",
                        "1/h",
                        "--phases",
                        "b=1,a=0.0000001"),
                wrong("--rate 5/s cannot be combined with --think", "--rate", "5/s", "--think", "1s..2s"),
                wrong("--rate 5/s cannot be combined with --pacing", "--rate", "5/s", "--pacing", "1s"),
                wrong("--rate 5/s cannot be combined with --ramp", "--rate", "5/s", "--ramp", "1s"),
                wrong("--arrivals even: expected constant or poisson", "--rate", "5/s", "--arrivals", "even"),
                wrong("--arrivals even: expected constant or poisson", "--arrivals", "even"),
                wrong("--arrivals : expected constant or poisson", "--arrivals="),
                wrong("--arrivals poisson" + open, "--arrivals", "poisson"),
                wrong("--overload wait: expected queue or drop", "--rate", "5/s", "--overload", "wait"),
                wrong("--overload Drop: expected queue or drop", "--overload", "Drop"),
                wrong("--overload drop" + open, "--overload", "drop"),
                wrong(
                        "--phases peak=1 at 10/s..500/s needs a time for the ramp of peak," + " such as 'for 30s'",
                        "--phases",
                        "peak=1 at 10/s..500/s"),
                wrong(
                        "--phases a=1, b=1 at 1/s..5/s for 10 iterations needs a time for the ramp"
                                + " of b, such as 'for 30s'",
                        "--phases",
                        "a=1, b=1 at 1/s..5/s for 10 iterations"),
                wrong(
                        "--arrivals poisson cannot be combined with the ramp of peak",
                        "--arrivals",
                        "poisson",
                        "--phases",
                        "peak=1 at 10/s..500/s for 5s"));
    }

    @ParameterizedTest
    @MethodSource({"quantities", "phases", "loads"})
    void isOneLine(String message, List<String> line) {
        Usage.assertRefused(message, line, folder.resolve("out"));
    }

    private static Arguments phases(String list, String expected, int character) {
        String rest = list.substring(character - 1);
        String found = rest.isEmpty() ? "the end" : "'" + rest + "'";
        return wrong(
                "--phases %s: expected %s at character %d, found %s".formatted(list, expected, character, found),
                "--phases",
                list);
    }
}
