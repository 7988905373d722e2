package io.phaseload.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

class OptionParserTest {

    static final class Bean {
        @Option(name = "--threads", aliases = "-c", handler = CountHandler.class)
        int threads = 10;

        @Option(name = "--iterations", handler = CountHandler.FromZero.class)
        long iterations = 100;

        @Option(name = "--timeout", handler = DurationHandler.class)
        Duration timeout = Duration.ofSeconds(5);

        @Option(name = "--max-body", handler = SizeHandler.class)
        long maxBody = 1024;

        @Option(name = "--seed", handler = CountHandler.FromZero.class)
        int seed;

        @Option(name = "--body")
        String body = "";

        @Option(name = "--virtual", aliases = "-v")
        boolean virtual;

        @Option(name = "--header", aliases = "-H")
        List<String> headers = new ArrayList<>();
    }

    static final class Own {
        @Option(name = "--url")
        String url;

        @Option(name = "--count", handler = CountHandler.class)
        int count;

        @Option(name = "--virtual", aliases = "-v")
        boolean virtual;

        @Option(name = "--help", help = true)
        boolean help;

        @Argument
        List<String> names = new ArrayList<>();
    }

    private static Bean parse(Map<String, String> properties, String... line) {
        Bean bean = new Bean();
        new OptionParser(bean, properties::get, name -> null).parse(line);
        return bean;
    }

    private static Bean parse(String... line) {
        return parse(Map.of(), line);
    }

    @Test
    void whatIsNotGivenKeepsItsDefault() {
        Bean bean = parse();
        assertThat(bean.threads).isEqualTo(10);
        assertThat(bean.timeout).isEqualTo(Duration.ofSeconds(5));
        assertThat(bean.virtual).isFalse();
    }

    @Test
    void readsValuesInBothForms() {
        Bean bean = parse(
                "--threads=20",
                "--iterations",
                "0",
                "--timeout",
                "250ms",
                "--max-body=64k",
                "--seed",
                "7",
                "--virtual");
        assertThat(bean.threads).isEqualTo(20);
        assertThat(bean.iterations).isZero();
        assertThat(bean.timeout).isEqualTo(Duration.ofMillis(250));
        assertThat(bean.maxBody).isEqualTo(65_536);
        assertThat(bean.seed).isEqualTo(7);
        assertThat(bean.virtual).isTrue();
    }

    @Test
    void aValueMayLookLikeAnything() {
        assertThat(parse("--body", "--threads").body).isEqualTo("--threads");
        assertThat(parse("--body=a=b").body).isEqualTo("a=b");
        assertThat(parse("--body", "a=b").body).isEqualTo("a=b");
        assertThat(parse("--body=").body).isEmpty();
        // args4j's own default would look for a file.
        assertThat(parse("--body", "@no-such-file").body).isEqualTo("@no-such-file");
        assertThat(parse("-H", "A: 1", "--header=B: 2").headers).containsExactly("A: 1", "B: 2");
    }

    @Test
    void aSecondValueIsRefused() {
        assertThatThrownBy(() -> parse("--timeout", "1s", "--timeout=2s"))
                .isInstanceOf(UsageException.class)
                .hasMessage("--timeout: given twice: expected it once");
        assertThatThrownBy(() -> parse("--threads", "1", "-c", "1"))
                .isInstanceOf(UsageException.class)
                .hasMessage("-c: given twice, also as --threads: expected it once");
    }

    @Test
    void theLastValueOfAFlagWins() {
        assertThat(parse("--virtual", "--virtual=false").virtual).isFalse();
        assertThat(parse("--virtual=false", "-v").virtual).isTrue();
    }

    @Test
    void takesPropertiesOfTheLongNames() {
        Bean bean = parse(Map.of("threads", "2k", "max-body", "2m", "c", "5", "header", "A: 1"));
        assertThat(bean.threads).isEqualTo(2000);
        assertThat(bean.maxBody).isEqualTo(2 << 20);
        assertThat(bean.headers).containsExactly("A: 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--threads 3", "--threads=3", "-c 3", "-c=3"})
    void theCommandLineWinsOverAProperty(String line) {
        assertThat(parse(Map.of("threads", "nonsense"), line.split(" ")).threads)
                .isEqualTo(3);
    }

    @Test
    void aValueThatLooksLikeAnOptionDoesNotHideAProperty() {
        assertThat(parse(Map.of("threads", "7"), "--body", "--threads").threads).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"'', true", "true, true", "false, false"})
    void aPropertyTurnsAFlagOnOrOff(String value, boolean on) {
        assertThat(parse(Map.of("virtual", value)).virtual).isEqualTo(on);
    }

    @Test
    void aFlagTurnedOffOnTheCommandLineStaysOff() {
        assertThat(parse(Map.of("virtual", "true"), "--virtual=false").virtual).isFalse();
        assertThat(parse(Map.of("virtual", "false"), "-v").virtual).isTrue();
    }

    @Test
    void readsTheSystemProperties() {
        System.setProperty("max-body", "3k");
        try {
            Bean bean = new Bean();
            new OptionParser(bean).parse();
            assertThat(bean.maxBody).isEqualTo(3072);
        } finally {
            System.clearProperty("max-body");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            --threads abc   | --threads abc: expected a whole number of 1 or more, such as 100 or 10k
            --threads=0     | --threads 0: expected a whole number of 1 or more, such as 100 or 10k
            -c -5           | -c -5: expected a whole number of 1 or more, such as 100 or 10k
            --threads 3000m | --threads 3000m: expected a whole number from 1 to 2147483647
            --timeout 5     | --timeout 5: expected a time above 0, such as 250ms, 30s, 5m or 1h
            --max-body x    | --max-body x: expected a size of 1 byte or more, such as 512, 64k or 1m
            --seed 1.5      | --seed 1.5: expected a whole number of 0 or more, such as 100 or 10k
            --seed -7       | --seed -7: expected a whole number of 0 or more, such as 100 or 10k
            --virtual=maybe | --virtual maybe: expected true or false, or no value at all
            --thread 5      | --thread: no such option, did you mean --threads?
            -threads=5      | -threads: no such option, did you mean --threads?
            --frobnicate    | --frobnicate: no such option, --help lists them
            --timeout       | --timeout: a value is missing (T)
            -H              | -H: a value is missing
            stray           | stray: unexpected argument, options start with --
            """)
    void saysInOneLineWhatIsWrong(String line, String message) {
        assertThatThrownBy(() -> parse(line.split(" ")))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void aWrongPropertyIsReportedLikeAnOption() {
        assertThatThrownBy(() -> parse(Map.of("threads", "x")))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("-Dthreads=x: expected a whole number");
        assertThatThrownBy(() -> parse(Map.of("virtual", "1")))
                .isInstanceOf(UsageException.class)
                .hasMessage("-Dvirtual=1: expected true or false, or no value at all");
    }

    @Test
    void theMessageIsOneLineWhateverTheValue() {
        assertThatThrownBy(() -> parse("--threads", "1\n2\u001b[2J"))
                .hasMessageStartingWith("--threads 1?2?[2J: expected");
    }

    @Test
    void theMessageIsTheSameInEveryLanguage() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMANY);
            assertThatThrownBy(() -> parse("--seed", "x")).hasMessageStartingWith("--seed x: expected a whole number");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void keepsTheWordsAndTheirPlaces() {
        Own bean = new Own();
        OptionParser parser =
                new OptionParser(bean, Map.of("url", "u", "help", "false")::get, Map.of("PHASELOAD_VIRTUAL", "")::get);
        parser.parse("a", "--count=2", "b");
        assertThat(bean.url).isEqualTo("u");
        assertThat(bean.names).containsExactly("a", "b");
        assertThat(parser.line()).containsExactly("--url", "u", "--virtual", "--help=false", "a", "--count", "2", "b");
        assertThat(parser.given()).containsExactlyInAnyOrder("--help", "--url", "--count");
        assertThat(parser.isGivenElsewhere("--virtual")).isTrue();
        assertThat(parser.isGivenElsewhere("--count")).isFalse();
    }

    @Test
    void aVariableYieldsToAPropertyAndToTheLine() {
        Map<String, String> environment =
                Map.of("PHASELOAD_THREADS", "7", "PHASELOAD_MAX_BODY", "2m", "PHASELOAD_SEED", "9");
        Bean bean = new Bean();
        new OptionParser(bean, Map.of("max-body", "1m")::get, environment::get).parse("--seed", "5");
        assertThat(bean.threads).isEqualTo(7);
        assertThat(bean.maxBody).isEqualTo(1 << 20);
        assertThat(bean.seed).isEqualTo(5);
    }

    @Test
    void aWrongVariableIsNamed() {
        assertThatThrownBy(() ->
                        new OptionParser(new Bean(), name -> null, Map.of("PHASELOAD_THREADS", "abc")::get).parse())
                .isInstanceOf(UsageException.class)
                .hasMessage("PHASELOAD_THREADS=abc: expected a whole number of 1 or more, such as 100 or 10k");
    }

    /** Others set variables of these names. */
    @Test
    void aVersionAndTheAddressOfAServiceAreNoOptions() {
        Own bean = new Own();
        Map<String, String> environment = Map.of("PHASELOAD_HELP", "", "PHASELOAD_URL", "tcp://10.0.0.1:80");
        new OptionParser(bean, name -> null, environment::get).parse();
        assertThat(bean.help).isFalse();
        assertThat(bean.url).isNull();
    }

    @Test
    void twoHyphensEndTheOptions() {
        Own bean = new Own();
        new OptionParser(bean, name -> null, name -> null).parse("--count", "2", "a", "--", "-v", "--", "b");
        assertThat(bean.names).containsExactly("a", "-v", "--", "b");
        assertThat(bean.virtual).isFalse();
        assertThatThrownBy(() -> parse("--", "-v"))
                .isInstanceOf(UsageException.class)
                .hasMessage("-v: unexpected argument, options start with --");
    }

    @Test
    void aDefaultIsAddedToTheHelp() {
        assertThat(new OptionParser(new Bean()).options())
                .filteredOn(option -> option.name().equals("--timeout"))
                .singleElement()
                .satisfies(option -> {
                    assertThat(option.help()).isEqualTo("the time to wait (5s)");
                    assertThat(option.value()).isEqualTo(" T");
                    assertThat(option.heading()).isEqualTo("Times");
                    assertThat(option.variable()).isEqualTo("PHASELOAD_TIMEOUT");
                });
    }
}
