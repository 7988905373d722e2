package io.phaseload.host;

import io.phaseload.host.linux.Numbers;
import io.phaseload.host.linux.PortRange;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a machine that limit or disturb a load test. Values that the system doesn't report are empty.
 *
 * @param portRange of outgoing connections
 * @param timeWaitReuse {@code net.ipv4.tcp_tw_reuse}: whether an outgoing connection may take a port whose last
 *     connection ended less than a minute ago: 0 no, 1 yes, 2 over the loopback only
 * @param mostAcceptQueue {@code net.core.somaxconn}: how many connections a server's accept queue holds at most
 * @param governors the governor of each CPU, such as {@code performance}; none where nothing does
 * @param clockSource the clock source, such as {@code tsc}
 * @param clockSources the other clock sources
 */
public record HostSettings(
        Optional<PortRange> portRange,
        Optional<Long> timeWaitReuse,
        Optional<Long> mostAcceptQueue,
        List<String> governors,
        Optional<String> clockSource,
        List<String> clockSources) {

    /** Keeps the lists from being changed. */
    public HostSettings {
        governors = List.copyOf(governors);
        clockSources = List.copyOf(clockSources);
    }

    /**
     * Those of this system.
     *
     * @return as they are now
     */
    public static HostSettings ofThisSystem() {
        return of(Path.of("/"));
    }

    /**
     * Those of a system whose files may be elsewhere.
     *
     * @param root the folder that {@code proc} and {@code sys} are in
     */
    static HostSettings of(Path root) {
        Path net = root.resolve("proc/sys/net");
        Path clock = root.resolve("sys/devices/system/clocksource/clocksource0");
        return new HostSettings(
                text(net.resolve("ipv4/ip_local_port_range")).flatMap(PortRange::parse),
                text(net.resolve("ipv4/tcp_tw_reuse")).flatMap(Numbers::counter),
                text(net.resolve("core/somaxconn")).flatMap(Numbers::counter),
                governors(root.resolve("sys/devices/system/cpu")),
                text(clock.resolve("current_clocksource")),
                text(clock.resolve("available_clocksource"))
                        .map(names -> List.of(Numbers.words(names)))
                        .orElse(List.of()));
    }

    private static List<String> governors(Path cpus) {
        List<String> governors = new ArrayList<>();
        try (DirectoryStream<Path> each = Files.newDirectoryStream(cpus, "cpu[0-9]*")) {
            each.forEach(cpu -> text(cpu.resolve("cpufreq/scaling_governor")).ifPresent(governors::add));
        } catch (IOException e) {
            // Not Linux.
        }
        return governors;
    }

    private static Optional<String> text(Path path) {
        try (TextFile file = new TextFile(path)) {
            return file.read().map(String::strip).filter(text -> !text.isEmpty());
        }
    }
}
