package io.phaseload.cli.doctor.checks;

import io.phaseload.host.HostSettings;
import java.util.TreeSet;

/** Whether CPUs slow down when they have little to do. */
public final class CpuGovernor {

    private static final String FAST = "performance";

    private CpuGovernor() {}

    /** A CPU that must speed up first answers late. */
    public static Outcome judge(HostSettings settings) {
        if (settings.governors().isEmpty()) {
            return new Outcome.Skip("this system doesn't tell, as most virtual machines don't");
        }
        long slow =
                settings.governors().stream().filter(name -> !name.equals(FAST)).count();
        String found = "CPU governor %s".formatted(String.join(", ", new TreeSet<>(settings.governors())));
        return slow == 0
                ? new Outcome.Ok(found, "CPUs don't slow down")
                : new Outcome.Warn(
                        found,
                        "%d of %d CPUs slow down when idle: response times are longer at low load"
                                .formatted(slow, settings.governors().size()),
                        "sudo cpupower frequency-set -g performance");
    }
}
