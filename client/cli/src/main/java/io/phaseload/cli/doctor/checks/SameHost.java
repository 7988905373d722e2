package io.phaseload.cli.doctor.checks;

/** Whether client and target compete for one machine. */
public final class SameHost {

    private SameHost() {}

    /**
     * Both take from the same CPUs.
     *
     * @param here whether the target is on this host
     */
    public static Outcome judge(Planned planned, boolean here) {
        if (!here) {
            return new Outcome.Ok("the target is on another host", "it has CPUs of its own");
        }
        return new Outcome.Warn(
                planned.ownTarget()
                        ? "the run starts its target on this host"
                        : planned.plan().target().host() + " is this host",
                "client and target compete for its CPUs, so that figures describe both",
                planned.ownTarget() ? "phaseload serve on another host, and --url" : "run the client on another host");
    }
}
