package io.phaseload.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuFilesTest {

    @Test
    void timesOfEachCpuAndContextSwitchesAreRead() {
        CpuStat stat = CpuStat.parse(Captured.text("stat"));

        long all = 1_096_615 + 470_607 + 216_338 + 874_525 + 10_666 + 20_542 + 11_639;
        assertThat(stat.cpus().keySet()).containsExactlyInAnyOrder(0, 1);
        assertThat(stat.cpus().get(0)).isEqualTo(new CpuTicks(all, 874_525 + 10_666, 11_639, 20_542));
        assertThat(stat.cpus().get(0).busy()).isEqualTo(all - 874_525 - 10_666 - 11_639);
        assertThat(stat.contextSwitches().orElseThrow()).isGreaterThan(139_000_000L);
    }

    /** Before Linux 2.6.11 there is no stolen time; guests' time is in the first numbers already. */
    @Test
    void oldKernelsHaveFewerNumbersAndNewOnesMayHaveMore() {
        CpuStat stat = CpuStat.parse("cpu0 1 2 3 4\ncpu7 1 1 1 1 1 1 1 1 9 9 9 9\n");

        assertThat(stat.cpus()).isEqualTo(Map.of(0, new CpuTicks(10, 4, 0, 0), 7, new CpuTicks(8, 2, 1, 2)));
        assertThat(stat.contextSwitches()).isEmpty();
    }

    @Test
    void linesThatMakeNoSenseAreLeftOut() {
        CpuStat stat = CpuStat.parse("cpu0 1 2\ncpuX 1 2 3 4\ncpu1 1 2 x 4\ncpu\ncpu2\nctxt many\n\n");

        assertThat(stat).isEqualTo(new CpuStat(Map.of(), Optional.empty()));
        assertThat(CpuStat.parse("")).isEqualTo(stat);
    }

    @Test
    void someCpusCanBeWantedAndAddUp() {
        CpuStat stat = CpuStat.parse("cpu0 1 0 0 1\ncpu1 2 0 0 2\ncpu2 4 0 0 4\n");

        assertThat(stat.total()).isEqualTo(new CpuTicks(14, 7, 0, 0));
        assertThat(stat.only(AllowedCpus.parse("Cpus_allowed_list:\t0,2\n")).total())
                .isEqualTo(new CpuTicks(10, 5, 0, 0));
        assertThat(stat.only(new BitSet())).isEqualTo(stat);
    }

    @ParameterizedTest
    @CsvSource({"0, {0}", "0-1, '{0, 1}'", "'0,2-3', '{0, 2, 3}'"})
    void allowedCpusAreAList(String list, String expected) {
        assertThat(AllowedCpus.parse("Name:\tjava\nCpus_allowed_list:\t" + list + "\n"))
                .hasToString(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Name: java",
                "Cpus_allowed_list:",
                "Cpus_allowed_list: 3-1",
                "Cpus_allowed_list: 0,x",
                "Cpus_allowed_list: 0-99999999999"
            })
    void whereTheyAreNotToldThereAreNone(String text) {
        assertThat(AllowedCpus.parse(text).isEmpty()).isTrue();
    }

    @Test
    void allowedCpusAreReadFromTheRealFile() {
        assertThat(AllowedCpus.parse(Captured.text("status"))).hasToString("{0, 1}");
    }

    @Test
    void schedstatHasWaitsAndTurns() {
        assertThat(RunQueueWait.parse("1089817 2766232 2\n"))
                .contains(new RunQueueWait(Duration.ofNanos(2_766_232), 2));
    }

    /** The second one is that of a kernel that doesn't count. */
    @ParameterizedTest
    @ValueSource(strings = {"", "1 2", "1 x 3", "1 2 -3"})
    void schedstatOfAnotherFormSaysNothing(String text) {
        assertThat(RunQueueWait.parse(text)).isEmpty();
    }

    @Test
    void pressureIsThatOfSomeTasks() {
        assertThat(
                        Pressure.someMicros(
                                """
                                some avg10=9.11 avg60=7.10 avg300=3.97 total=528457781
                                full avg10=8.73 avg60=6.44 avg300=3.29 total=199207052
                                """))
                .contains(528_457_781L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "some", "some avg10=0.00", "some total=", "some total=x", "full total=1"})
    void pressureOfAnotherFormSaysNothing(String text) {
        assertThat(Pressure.someMicros(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'nr_periods 9\nnr_throttled 4\nthrottled_time 7000\n', 7000",
        "'usage_usec 9\nnr_throttled 4\nthrottled_usec 7000\nnr_bursts 0\n', 7000000",
        "'usage_usec 9\nuser_usec 9\n', ",
        "'throttled_usec', ",
        "'throttled_usec x', ",
        "'', ",
    })
    void groupsOfBothVersionsTellHowLongTheyWereThrottled(String text, Long nanos) {
        assertThat(ControlGroups.throttledNanos(text).orElse(null)).isEqualTo(nanos);
    }

    @Test
    void memoryIsThatWhichProgramsCanHave() {
        String text = "MemTotal:        8131020 kB\nMemFree: 1 kB\nMemAvailable:    2131020 kB\n";

        assertThat(Memory.parse(text)).contains(new Memory(8_131_020, 2_131_020));
        assertThat(new Memory(8_131_020, 2_131_020).usedKib()).isEqualTo(6_000_000);
        assertThat(Memory.parse("MemTotal: 8131020 kB\n")).isEmpty();
        assertThat(Memory.parse("MemTotal: many kB\nMemAvailable:\n")).isEmpty();
        assertThat(Memory.residentKib(Captured.text("status"))).contains(1_620L);
        assertThat(Memory.residentKib("")).isEmpty();
    }
}
