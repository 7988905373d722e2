package io.phaseload.cli.run;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.http.client.TracingClient;
import io.phaseload.plan.Journey;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.result.Result;
import java.io.PrintStream;
import java.util.List;

/**
 * The requests of one user in one iteration of each scenario, and their responses.
 *
 * @param plan has the scenarios
 */
record Trace(Plan plan, PrintStream out) {

    /** Sends all; returns the exit code when all is shown. */
    int run() {
        try (LinePrinter lines = new LinePrinter(out)) {
            return run(lines);
        }
    }

    private int run(LinePrinter lines) {
        List<Scenario> scenarios = plan.scenario()
                .journeys()
                .map(journeys -> journeys.all().stream()
                        .map(journey -> alone(journeys, journey))
                        .toList())
                .orElse(List.of(plan.scenario()));
        boolean failed = false;
        for (Scenario scenario : scenarios) {
            scenario.journeys()
                    .ifPresent(of -> lines.print("Scenario " + of.all().get(0).name() + ":"));
            Result result = ThreadsLoadClient.of(plan(scenario), new TracingClient(lines::print))
                    .run();
            failed |= result.totals().failed() > 0;
            result.phases()
                    .get(0)
                    .notSent()
                    .forEach((reason, count) -> lines.print("! %d not sent: %s".formatted(count, reason)));
            lines.print("");
        }
        return failed ? ExitCode.NOTHING_SUCCEEDED : ExitCode.PASSED;
    }

    private static Scenario alone(Journeys journeys, Journey journey) {
        return Scenario.of(new Journeys(List.of(journey.weight(1)), journeys.variables(), journeys.feeders()));
    }

    /** Of one user on our own client, whatever the plan's engine is. */
    private Plan plan(Scenario scenario) {
        Phase phase = new Phase("trace", 1, new PhaseLength.Iterations(1), Load.Closed.AT_ONCE);
        return plan.toBuilder()
                .bare()
                .scenario(scenario)
                .threads(1)
                .phases(phase)
                .engine(EngineSettings.THREADS)
                .virtualThreads(false)
                .build();
    }
}
