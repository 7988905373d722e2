package io.phaseload.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.host.linux.PortRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostSettingsTest {

    @TempDir
    private Path root;

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void aSystemTellsThemInFiles() throws IOException {
        write("proc/sys/net/ipv4/ip_local_port_range", "32768\t60999\n");
        write("proc/sys/net/ipv4/tcp_tw_reuse", "2\n");
        write("proc/sys/net/core/somaxconn", "4096\n");
        write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
        write("sys/devices/system/cpu/cpuidle/current_driver", "none\n");
        write("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
        write("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet \n");

        HostSettings settings = HostSettings.of(root);

        assertThat(settings.portRange()).contains(new PortRange(32_768, 60_999));
        assertThat(settings.timeWaitReuse()).contains(2L);
        assertThat(settings.mostAcceptQueue()).contains(4_096L);
        assertThat(settings.governors()).containsExactly("powersave", "powersave");
        assertThat(settings.clockSource()).contains("hpet");
        assertThat(settings.clockSources()).containsExactly("tsc", "hpet");
    }

    @Test
    void whatIsMissingIsEmpty() throws IOException {
        write("proc/sys/net/core/somaxconn", "many\n");
        write("sys/devices/system/cpu/cpu0/online", "1\n");

        HostSettings settings = HostSettings.of(root);

        assertThat(settings.portRange()).isEmpty();
        assertThat(settings.timeWaitReuse()).isEmpty();
        assertThat(settings.mostAcceptQueue()).isEmpty();
        assertThat(settings.governors()).isEmpty();
        assertThat(settings.clockSource()).isEmpty();
        assertThat(settings.clockSources()).isEmpty();
    }
}
