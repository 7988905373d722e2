package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Machine;
import java.util.Optional;

/** Whether reading the time is cheap: the client does it a few times a request. */
public final class ClockSource {

    /** A clock that is read without a system call takes some tens. */
    private static final double SLOW_NANOS = 250;

    private static final String FAST = "tsc";

    private ClockSource() {}

    /** A slow clock costs CPU time, and the more so the more threads read it at once. */
    public static Outcome judge(Machine machine) {
        String name = machine.settings()
                .clockSource()
                .map(source -> " (" + source + ")")
                .orElse("");
        String found = Text.of("reading the time takes %.0f ns%s", machine.clockNanos(), name);
        if (machine.clockNanos() < SLOW_NANOS) {
            return new Outcome.Ok(found, "as it should");
        }
        boolean better = machine.settings().clockSources().contains(FAST)
                && !machine.settings().clockSource().equals(Optional.of(FAST));
        return new Outcome.Warn(
                found,
                "it is a system call here: each request costs more CPU time",
                better
                        ? "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/" + "current_clocksource"
                        : "run the client on a machine with a faster clock");
    }
}
