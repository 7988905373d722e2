package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Machine;

/** Whether the limit of open files leaves room for the plan's connections. */
public final class OpenFiles {

    /** For results, event loops and what the JVM opens as it goes. */
    public static final int OTHERS = 64;

    private static final double NEARLY_ALL = 0.8;

    private OpenFiles() {}

    /** Each connection is a file; with the target in the same process, it is two. */
    public static Outcome judge(Planned planned, Machine machine) {
        if (machine.mostOpenFiles().isEmpty()) {
            return new Outcome.Skip("this system has no such limit, or the JVM doesn't tell it");
        }
        long limit = machine.mostOpenFiles().get();
        int connections = planned.connections();
        long needed = (planned.ownTarget() ? 2L : 1L) * connections
                + machine.openFiles().orElse(0L)
                + OTHERS;
        String found = "%d files may be open".formatted(limit);
        String fix = "sudo prlimit --pid $$ --nofile=%d".formatted(2 * needed);
        if (needed > limit) {
            return new Outcome.Fail(
                    found,
                    "%d connections need about %d: the others will fail with 'too many open files'"
                            .formatted(connections, needed),
                    fix);
        }
        if (needed > NEARLY_ALL * limit) {
            return new Outcome.Warn(found, "%d connections need about %d".formatted(connections, needed), fix);
        }
        return new Outcome.Ok(found, "%d connections need about %d".formatted(connections, needed));
    }
}
