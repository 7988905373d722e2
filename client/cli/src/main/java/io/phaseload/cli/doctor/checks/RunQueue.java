package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Quiet;
import io.phaseload.host.HostFigure;
import java.util.OptionalDouble;

/** Whether others keep the client's threads waiting for a CPU. */
public final class RunQueue {

    /** From this mean on, the verdict calls the same wait suspect. */
    private static final double LONG_MS = 0.2;

    private static final double BUSY_PERCENT = 20;

    private RunQueue() {}

    /** The client did nothing meanwhile: what ran was others'. */
    public static Outcome judge(Quiet quiet) {
        OptionalDouble wait = quiet.get(HostFigure.RUN_QUEUE_MEAN);
        OptionalDouble machine = quiet.get(HostFigure.MACHINE_CPU);
        if (wait.isEmpty() || machine.isEmpty()) {
            return new Outcome.Skip("only Linux tells how long threads wait for a CPU");
        }
        double others =
                Math.max(0, machine.getAsDouble() - quiet.get(HostFigure.CPU).orElse(0));
        String found = Text.of(
                "a thread waits %.3f ms for a CPU, and others use %.0f %% of the CPUs", wait.getAsDouble(), others);
        if (wait.getAsDouble() < LONG_MS && others < BUSY_PERCENT) {
            return new Outcome.Ok(found, "the machine is quiet");
        }
        return new Outcome.Warn(
                found,
                "they compete with the client, so that its figures are partly theirs",
                "stop what top shows, or run the client on a machine of its own");
    }
}
