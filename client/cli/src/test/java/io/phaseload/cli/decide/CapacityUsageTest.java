package io.phaseload.cli.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CapacityUsageTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--get=/|capacity: expected --slo, such as --slo 'p99 < 250ms, failures < 0.1%'",
                "--slo=rps>5|--slo 'rps>5': expected upper limits above 0 of a mean, a percentile or failures in percent",
                "--slo=p99<1s,|--slo 'p99<1s,': expected",
                "--slo=*/GET /b: p99<1s --get=/a|--slo '*/GET /b: p99 < 1s': expected one of the operations GET /a",
                "--slo=p99<1s --search=both|--search both: expected rate or users",
                "--slo=p99<1s --from=5|--from 5: expected a rate such as 500/s",
                "--slo=p99<1s --search=users --from=5/s|--from 5/s: expected a number of users",
                "--slo=p99<1s --up-to=1/s|--up-to 1/s: expected at least the first load, 20/s",
                "--slo=p99<1s --precision=0.5%|--precision 0.5%: expected 1% to 50%",
                "--slo=p99<1s --budget=10s|--budget 10s: expected at least 60 s, three times --step",
                "--slo=p99<1s --search=users -c=5|-c cannot be combined with --search users, which searches it",
                "--slo=p99<1s --rate=5/s|--rate",
            })
    void aMistakeIsNamed(String options, String expected) {
        Cli run = Cli.run(
                Stream.concat(Stream.of("capacity", "--url=http://127.0.0.1:1/"), Stream.of(options.split(" (?=-)")))
                        .toArray());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"capacity --slo=p99<1s", "sweep --rate=5/s"})
    void anAddressAloneIsTheUrl(String command) {
        Cli run = Cli.run(Stream.concat(
                        Stream.of(command.split(" ")),
                        Stream.of("http://127.0.0.1:1/", "--url=http://127.0.0.1:2/", "--get=/"))
                .toArray());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).startsWith("--url: given twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"capacity --slo=p99<1s", "sweep --rate=5/s"})
    void anAddressNeedsItsScheme(String command) {
        Cli run = Cli.run(Stream.concat(Stream.of(command.split(" ")), Stream.of("127.0.0.1:1/", "--get=/"))
                .toArray());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).startsWith("127.0.0.1:1/: expected an address such as http://127.0.0.1:1/");
    }
}
