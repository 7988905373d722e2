package io.phaseload.result.build;

import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.health.ClientHealth;
import io.phaseload.health.ClientLoad;
import io.phaseload.health.Stalls;
import io.phaseload.health.SystemUse;
import io.phaseload.host.linux.RunQueueWait;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.UsersTime;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Scenario;
import io.phaseload.result.Figures;
import io.phaseload.result.PhaseResult;
import io.phaseload.result.PhaseResult.OperationResult;
import io.phaseload.result.PhaseResult.SegmentResult;
import io.phaseload.result.host.ClientUse;
import io.phaseload.result.host.ClientUse.Contaminated;
import io.phaseload.result.host.ClientUse.LagJson;
import io.phaseload.result.host.ClientUse.SpanJson;
import io.phaseload.result.host.ClientUse.StallsJson;
import io.phaseload.result.host.ClientUse.SystemJson;
import io.phaseload.result.host.ClientUse.UsersJson;
import io.phaseload.timing.Timing;
import io.phaseload.verdict.rules.Tail;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Builds the result of a phase. */
final class PhaseBuilder {

    private PhaseBuilder() {}

    static PhaseResult of(PhaseMeasurement measured, Scenario scenario) {
        Tally all = Tallies.sum(measured.operations());
        return new PhaseResult(
                measured.phase().name(),
                measured.users(),
                measured.startedAt(),
                measured.asked(),
                measured.notSent(),
                Figures.of(all, measured.wall()),
                results(Operation.namesInResult(scenario.operations()), measured.operations(), measured.wall()),
                results(scenario.timed(), measured.journeys(), measured.wall()),
                client(measured.client(), all.histogram(Timing.STALLED).getTotalCount(), Judgement.tail(all)),
                Optional.empty(),
                measured.segments().stream()
                        .map(of -> new SegmentResult(
                                of.from().toNanos() / 1e6, of.load(), Figures.of(of.requests(), of.length())))
                        .toList());
    }

    private static List<OperationResult> results(List<String> names, List<Tally> tallies, Duration wall) {
        return IntStream.range(0, names.size())
                .mapToObj(i -> result(names.get(i), tallies.get(i), wall))
                .toList();
    }

    private static OperationResult result(String name, Tally tally, Duration wall) {
        return new OperationResult(name, Figures.of(tally, wall), tally.slowest(), tally.firstFailed());
    }

    private static ClientUse client(ClientHealth client, long stalled, Tail tail) {
        ClientLoad load = client.load();
        Stalls stalls = client.stalls();
        SystemUse system = client.system();
        return new ClientUse(
                seconds(load.cpu()),
                load.cpuShare() * 100,
                seconds(load.gc()),
                new StallsJson(
                        stalls.count(),
                        seconds(stalls.total()),
                        seconds(stalls.longest()) * 1_000,
                        seconds(stalls.stopped())),
                new SystemJson(
                        system.runQueue().map(wait -> seconds(wait.total())),
                        system.runQueue().map(RunQueueWait::turns),
                        system.stolen().map(part -> part * 100),
                        system.idle().map(part -> part * 100),
                        system.throttled().map(PhaseBuilder::seconds),
                        system.suspended().map(PhaseBuilder::seconds)),
                new LagJson(
                        seconds(client.loopLag().late()),
                        seconds(client.loopLag().longest()) * 1_000),
                new Contaminated(
                        stalled,
                        tail.percentile(),
                        tail.share() * 100,
                        client.contaminated().stream()
                                .map(span -> new SpanJson(seconds(span.from()), seconds(span.to())))
                                .toList()),
                client.usersTime().map(PhaseBuilder::users),
                Map.of());
    }

    private static UsersJson users(UsersTime time) {
        return new UsersJson(
                time.users(),
                time.tookPart(),
                seconds(time.total()),
                seconds(time.responding()),
                seconds(time.connecting()),
                seconds(time.pausing()),
                seconds(time.ramping()),
                seconds(time.done()),
                seconds(time.firstConnecting()),
                seconds(time.unscheduled()),
                seconds(time.missing()),
                time.accounted() * 100);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
