package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Quiet;
import io.phaseload.host.HostFigure;

/** Whether the machine stops the client for moments, even when it has nothing to do. */
public final class Hiccups {

    /** The verdict counts such stalls. */
    private static final double LONG_MS = 5;

    private static final double STOLEN_PERCENT = 5;

    private Hiccups() {}

    /** Whatever delays a thread that only sleeps also delays those that read responses. */
    public static Outcome judge(Quiet quiet) {
        if (quiet.get(HostFigure.HICCUP).isEmpty()) {
            return new Outcome.Skip("not measured: the machine was stopped meanwhile");
        }
        double longest = quiet.get(HostFigure.HICCUP).getAsDouble();
        double stolen = quiet.get(HostFigure.STOLEN).orElse(0);
        String found = Text.of("a thread that only sleeps woke up %.1f ms late at most", longest)
                + (stolen > 0 ? Text.of(", and %.1f %% of the CPU time was stolen", stolen) : "");
        if (stolen >= STOLEN_PERCENT) {
            return new Outcome.Warn(
                    found, "other virtual machines take CPU time from this one", "use a machine with dedicated CPUs");
        }
        return longest < LONG_MS
                ? new Outcome.Ok(found, "no stalls")
                : new Outcome.Warn(
                        found,
                        "response times above that may be the client's own",
                        "stop what top shows, or use more CPUs");
    }
}
