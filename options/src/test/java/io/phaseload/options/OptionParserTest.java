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

        @Option(name = "--iterations", handler = CountHandler.OrZero.class)
        long iterations = 100;

        @Option(name = "--timeout", handler = DurationHandler.class, usage = "a time such as 5s")
        Duration timeout = Duration.ofSeconds(5);

        @Option(name = "--max-body", handler = SizeHandler.class)
        long maxBody = 1024;

        @Option(name = "--seed", handler = CountHandler.OrZero.class)
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
        new OptionParser(bean, properties::get).parse(line);
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
            --timeout       | --timeout: a value is missing (a time such as 5s)
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
                .hasMessageStartingWith("--threads x: expected a whole number");
        assertThatThrownBy(() -> parse(Map.of("virtual", "1")))
                .isInstanceOf(UsageException.class)
                .hasMessage("--virtual 1: expected true or false, or no value at all");
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
    void tellsWhatWasSaidAndWhere() {
        Own bean = new Own();
        OptionParser parser = new OptionParser(bean, Map.of("url", "u", "help", "false")::get);
        parser.parse("a", "--count=2", "b", "-v");
        assertThat(bean.url).isEqualTo("u");
        assertThat(bean.names).containsExactly("a", "b");
        assertThat(parser.line()).containsExactly("--help=false", "--url", "u", "a", "--count", "2", "b", "-v");
        assertThat(parser.given()).containsExactlyInAnyOrder("--help", "--url", "--count", "--virtual");
        assertThat(parser.ofProperties()).containsExactlyInAnyOrder("--help", "--url");
    }
}
