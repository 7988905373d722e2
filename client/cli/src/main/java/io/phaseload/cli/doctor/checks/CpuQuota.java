package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Machine;

/** Whether a control group, such as a container's, limits the client's CPU time. */
public final class CpuQuota {

    private CpuQuota() {}

    /** A client that reaches its quota stands still for the rest of a tenth of a second. */
    public static Outcome judge(Machine machine) {
        if (machine.quota().isPresent()) {
            return new Outcome.Warn(
                    Text.of(
                            "the control group may use %.2f CPUs",
                            machine.quota().get()),
                    "a client that needs more is stopped for the rest of each 100 ms: slow responses"
                            + " may be its own",
                    "docker update --cpus=N CONTAINER, or max in cpu.max of the control group");
        }
        return machine.linux()
                ? new Outcome.Ok("no control group limits the CPU", "the client is never throttled")
                : new Outcome.Skip("only Linux has control groups");
    }
}
