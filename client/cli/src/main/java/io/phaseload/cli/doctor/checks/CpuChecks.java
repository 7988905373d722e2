package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Machine;
import io.phaseload.cli.doctor.facts.Quiet;
import io.phaseload.host.HostFigure;
import io.phaseload.host.HostSettings;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;

/** CPU time that the client lacks, or that is taken from it. */
public final class CpuChecks {

    private static final String FAST_GOVERNOR = "performance";

    /** A clock that is read without a system call takes some tens. */
    private static final double SLOW_CLOCK_NANOS = 250;

    private static final String FAST_CLOCK = "tsc";

    /** From this mean on, the verdict calls the same wait suspect. */
    private static final double LONG_WAIT_MS = 0.2;

    private static final double BUSY_PERCENT = 20;

    /** The verdict counts such stalls. */
    private static final double LONG_HICCUP_MS = 5;

    private static final double STOLEN_PERCENT = 5;

    private CpuChecks() {}

    /**
     * A limit by a control group, such as a container's. A client that reaches its quota stands still for the rest of a
     * tenth of a second.
     */
    public static CheckOutcome quota(Machine machine) {
        if (machine.quota().isPresent()) {
            return new CheckOutcome.Warn(
                    NumberText.of(
                            "the control group may use %.2f CPUs",
                            machine.quota().get()),
                    "a client that needs more is stopped for the rest of each 100 ms: slow responses"
                            + " may be its own",
                    "docker update --cpus=N CONTAINER, or max in cpu.max of the control group");
        }
        return machine.linux()
                ? new CheckOutcome.Ok("no control group limits the CPU", "the client is never throttled")
                : new CheckOutcome.Skip("only Linux has control groups");
    }

    /** CPUs that slow down when they have little to do. A CPU that must speed up first answers late. */
    public static CheckOutcome governor(HostSettings settings) {
        if (settings.governors().isEmpty()) {
            return new CheckOutcome.Skip("not known on this system, as on most virtual machines");
        }
        long slow = settings.governors().stream()
                .filter(name -> !name.equals(FAST_GOVERNOR))
                .count();
        String found = "CPU governor %s".formatted(String.join(", ", new TreeSet<>(settings.governors())));
        return slow == 0
                ? new CheckOutcome.Ok(found, "CPUs don't slow down")
                : new CheckOutcome.Warn(
                        found,
                        "%d of %d CPUs slow down when idle: response times are longer at low load"
                                .formatted(slow, settings.governors().size()),
                        "sudo cpupower frequency-set -g performance");
    }

    /**
     * The cost of reading the time, which the client does a few times a request. A slow clock costs CPU time, and the
     * more so the more threads read it at once.
     */
    public static CheckOutcome clockSource(Machine machine) {
        String name = machine.settings()
                .clockSource()
                .map(source -> " (" + source + ")")
                .orElse("");
        String found = NumberText.of("reading the time takes %.0f ns%s", machine.clockNanos(), name);
        if (machine.clockNanos() < SLOW_CLOCK_NANOS) {
            return new CheckOutcome.Ok(found, "as it should");
        }
        boolean better = machine.settings().clockSources().contains(FAST_CLOCK)
                && !machine.settings().clockSource().equals(Optional.of(FAST_CLOCK));
        return new CheckOutcome.Warn(
                found,
                "it is a system call here: each request costs more CPU time",
                better
                        ? "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/" + "current_clocksource"
                        : "run the client on a machine with a faster clock");
    }

    /**
     * Others that keep the client's threads waiting for a CPU. The client did nothing meanwhile: what ran was others'.
     */
    public static CheckOutcome runQueue(Quiet quiet) {
        OptionalDouble wait = quiet.get(HostFigure.RUN_QUEUE_MEAN);
        OptionalDouble machine = quiet.get(HostFigure.MACHINE_CPU);
        if (wait.isEmpty() || machine.isEmpty()) {
            return new CheckOutcome.Skip("only Linux measures how long threads wait for a CPU");
        }
        double others =
                Math.max(0, machine.getAsDouble() - quiet.get(HostFigure.CPU).orElse(0));
        String found = NumberText.of(
                "a thread waits %.3f ms for a CPU, and others use %.0f %% of the CPUs", wait.getAsDouble(), others);
        if (wait.getAsDouble() < LONG_WAIT_MS && others < BUSY_PERCENT) {
            return new CheckOutcome.Ok(found, "the machine is quiet");
        }
        return new CheckOutcome.Warn(
                found,
                "they compete with the client, so that its figures are partly theirs",
                "stop what top shows, or run the client on a machine of its own");
    }

    /**
     * Moments in which the machine stops the client, even when it has nothing to do. Whatever delays a thread that only
     * sleeps also delays those that read responses.
     */
    public static CheckOutcome hiccups(Quiet quiet) {
        if (quiet.get(HostFigure.HICCUP).isEmpty()) {
            return new CheckOutcome.Skip("not measured: the machine was stopped meanwhile");
        }
        double longest = quiet.get(HostFigure.HICCUP).getAsDouble();
        double stolen = quiet.get(HostFigure.STOLEN).orElse(0);
        String found = NumberText.of("a thread that only sleeps woke up %.1f ms late at most", longest)
                + (stolen > 0 ? NumberText.of(", and %.1f %% of the CPU time was stolen", stolen) : "");
        if (stolen >= STOLEN_PERCENT) {
            return new CheckOutcome.Warn(
                    found, "other virtual machines take CPU time from this one", "use a machine with dedicated CPUs");
        }
        return longest < LONG_HICCUP_MS
                ? new CheckOutcome.Ok(found, "no stalls")
                : new CheckOutcome.Warn(
                        found,
                        "response times above that may be the client's own",
                        "stop what top shows, or use more CPUs");
    }

    /**
     * A target on the client's machine. Both take from the same CPUs.
     *
     * @param here true if the target is on this host
     */
    public static CheckOutcome sameHost(Planned planned, boolean here) {
        if (!here) {
            return new CheckOutcome.Ok("the target is on another host", "it has CPUs of its own");
        }
        return new CheckOutcome.Warn(
                planned.ownTarget()
                        ? "the run starts its target on this host"
                        : planned.plan().target().host() + " is this host",
                "client and target compete for its CPUs, so that figures describe both",
                planned.ownTarget() ? "phaseload serve on another host, and --url" : "run the client on another host");
    }
}
