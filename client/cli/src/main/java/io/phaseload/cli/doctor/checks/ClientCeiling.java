package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Ceiling;
import io.phaseload.plan.engine.EngineSettings;
import java.util.OptionalDouble;

/** Whether this machine can send what the plan asks for. */
public final class ClientCeiling {

    /** Beyond this share of the ceiling there is little left for peaks. */
    private static final double NEAR = 0.7;

    private static final String MORE = "more CPUs, or several clients (--agents, or --part 1/2)";

    private ClientCeiling() {}

    /**
     * The null server took a share of the CPUs: without it the client could send more, but not more than in proportion.
     */
    public static Outcome judge(Planned planned, Ceiling ceiling) {
        if (!ceiling.failures().isEmpty() || ceiling.perSecond() == 0) {
            return new Outcome.Skip("it couldn't be measured: " + ceiling.failures());
        }
        String found = Text.of(
                "%,.0f requests/s %s to a null server in this process, which took %.0f %% of" + " the CPU time",
                ceiling.perSecond(), conditions(planned, ceiling), 100 * ceiling.serverShare());
        OptionalDouble rate = planned.rate();
        if (rate.isEmpty()) {
            return new Outcome.Ok(found, "a run that comes near to it measures the client, and not the target");
        }
        double asked = rate.getAsDouble();
        String meaning = Text.of(
                "the plan asks for %,.0f/s, %.0f %% of what this machine can send",
                asked, 100 * asked / ceiling.perSecond());
        boolean threads = planned.plan().engine().name().equals(EngineSettings.THREADS.name());
        String fix = threads ? "--engine events, " + MORE : MORE;
        if (asked >= ceiling.perSecond() / (1 - ceiling.serverShare())) {
            return new Outcome.Fail(found, meaning, fix);
        }
        return asked >= NEAR * ceiling.perSecond()
                ? new Outcome.Warn(found, meaning, fix)
                : new Outcome.Ok(found, meaning);
    }

    private static String conditions(Planned planned, Ceiling ceiling) {
        String of = ceiling.users() < planned.users() ? "of %d ".formatted(planned.users()) : "";
        return "with %d %susers".formatted(ceiling.users(), of)
                + (planned.plan().target().tls() ? ", without TLS" : "")
                + (planned.closesConnections() ? ", over kept connections" : "");
    }
}
