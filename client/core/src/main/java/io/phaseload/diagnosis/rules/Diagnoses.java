package io.phaseload.diagnosis.rules;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.connections.ConnectionLimit;
import io.phaseload.diagnosis.connections.FailedLookUps;
import io.phaseload.diagnosis.connections.IdleTimeout;
import io.phaseload.diagnosis.connections.Jitter;
import io.phaseload.diagnosis.connections.KeepAliveLimit;
import io.phaseload.diagnosis.connections.NewConnections;
import io.phaseload.diagnosis.connections.Resets;
import io.phaseload.diagnosis.connections.Restarts;
import io.phaseload.diagnosis.connections.SerialStreams;
import io.phaseload.diagnosis.connections.SlowConnects;
import io.phaseload.diagnosis.connections.SlowDns;
import io.phaseload.diagnosis.connections.StreamLimit;
import io.phaseload.diagnosis.connections.SynRetransmits;
import io.phaseload.diagnosis.connections.TlsHandshakes;
import io.phaseload.diagnosis.course.Contention;
import io.phaseload.diagnosis.course.Drift;
import io.phaseload.diagnosis.course.FailuresWithLoad;
import io.phaseload.diagnosis.course.GrowingFailures;
import io.phaseload.diagnosis.course.Outage;
import io.phaseload.diagnosis.course.PeriodicStalls;
import io.phaseload.diagnosis.course.RampKnee;
import io.phaseload.diagnosis.course.Saturation;
import io.phaseload.diagnosis.course.SerialWork;
import io.phaseload.diagnosis.course.SlowPeriod;
import io.phaseload.diagnosis.course.Stalls;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.responses.BadGateway;
import io.phaseload.diagnosis.responses.Bandwidth;
import io.phaseload.diagnosis.responses.ColdStarts;
import io.phaseload.diagnosis.responses.FreshConnections;
import io.phaseload.diagnosis.responses.GivesUp;
import io.phaseload.diagnosis.responses.LoadShedding;
import io.phaseload.diagnosis.responses.NeverSucceeds;
import io.phaseload.diagnosis.responses.PacketLoss;
import io.phaseload.diagnosis.responses.RateLimit;
import io.phaseload.diagnosis.responses.Redirects;
import io.phaseload.diagnosis.responses.SlowStart;
import io.phaseload.diagnosis.responses.SlowUploads;
import io.phaseload.diagnosis.responses.SteadyFailures;
import io.phaseload.diagnosis.responses.Timeouts;
import io.phaseload.diagnosis.responses.TruncatedBodies;
import io.phaseload.diagnosis.responses.TwoSpeeds;
import io.phaseload.diagnosis.responses.UnfollowedRedirects;
import io.phaseload.diagnosis.servers.HeapGrowth;
import io.phaseload.diagnosis.servers.ServerCpu;
import io.phaseload.diagnosis.servers.ServerQueue;
import io.phaseload.diagnosis.servers.ServerThreads;
import io.phaseload.diagnosis.servers.SlowInstance;
import io.phaseload.stats.ScalabilityFit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Everything that can be diagnosed. */
public final class Diagnoses {

    private static final List<DiagnosisRule> RULES = Stream.concat(
                    NeverSucceeds.RULES.stream(),
                    Stream.of(
                            SynRetransmits.RULE,
                            ConnectionLimit.RULE,
                            NewConnections.RULE,
                            Restarts.RULE,
                            Resets.RULE,
                            SlowConnects.RULE,
                            KeepAliveLimit.RULE,
                            IdleTimeout.RULE,
                            SerialStreams.RULE,
                            StreamLimit.RULE,
                            Jitter.RULE,
                            FailedLookUps.RULE,
                            SlowDns.RULE,
                            TlsHandshakes.RULE,
                            ServerCpu.RULE,
                            ServerThreads.RULE,
                            ServerQueue.RULE,
                            SlowInstance.RULE,
                            HeapGrowth.RULE,
                            RateLimit.RULE,
                            LoadShedding.RULE,
                            GivesUp.RULE,
                            BadGateway.RULE,
                            TruncatedBodies.RULE,
                            SteadyFailures.RULE,
                            GrowingFailures.RULE,
                            Redirects.RULE,
                            UnfollowedRedirects.RULE,
                            Timeouts.TOO_SHORT,
                            Timeouts.UNANSWERED,
                            ColdStarts.RULE,
                            SlowStart.RULE,
                            FreshConnections.RULE,
                            TwoSpeeds.RULE,
                            PacketLoss.RULE,
                            Bandwidth.RULE,
                            SlowUploads.RULE,
                            Outage.RULE,
                            PeriodicStalls.RULE,
                            Stalls.RULE,
                            SlowPeriod.RULE,
                            Drift.RULE,
                            Saturation.RULE,
                            SerialWork.RULE,
                            RampKnee.RULE,
                            FailuresWithLoad.RULE))
            .toList();

    /** Asked only where none of them finds anything: general ones that state what was seen. */
    private static final List<DiagnosisRule> LAST = List.of(
            GrowingFailures.LAST, Restarts.LAST, SteadyFailures.LAST, SlowStart.LAST, SlowPeriod.LAST, TwoSpeeds.LAST);

    private static final Comparator<Diagnosis> MOST_FIRST = Comparator.comparingDouble(
                    (Diagnosis of) -> of.impact() * weight(of))
            .reversed();

    private Diagnoses() {}

    /** The claims of all rules, in the order of the documentation. */
    public static List<Claim> claims() {
        return Stream.concat(RULES.stream().map(DiagnosisRule::claim), Stream.of(Contention.CLAIM))
                .toList();
    }

    /** Explains how the throughput of a sweep grows with its users. */
    public static Optional<Diagnosis> of(ScalabilityFit sweep) {
        return Contention.judge(sweep);
    }

    /**
     * Explains a run.
     *
     * @return each cause once, of the measured phase that shows it most clearly, or of another phase if none does, with
     *     what follows from it; what explains most, and is most certain, first
     */
    public static List<Diagnosis> of(RunSeries run) {
        List<String> measured = run.measured();
        Comparator<Diagnosis> best = Comparator.comparing(
                        (Diagnosis of) -> !of.phase().filter(measured::contains).isPresent())
                .thenComparing(MOST_FIRST);
        Stream<List<Diagnosis>> found = found(RULES, run, any -> true)
                .or(() -> found(
                        LAST, run, of -> of.phase().filter(measured::contains).isPresent()))
                .stream()
                .flatMap(all -> all.values().stream());
        return Consequences.under(found.map(same -> same.stream().sorted(best).toList())
                .map(same -> same.get(0).alsoIn(same.subList(1, same.size())))
                .sorted(MOST_FIRST)
                .toList());
    }

    /** The findings of some rules, by their id; empty if there are none. */
    private static Optional<Map<String, List<Diagnosis>>> found(
            List<DiagnosisRule> rules, RunSeries run, Predicate<Diagnosis> such) {
        Map<String, List<Diagnosis>> found = rules.stream()
                .flatMap(rule -> rule.judge().apply(run).stream())
                .filter(such)
                .collect(Collectors.groupingBy(Diagnosis::id, LinkedHashMap::new, Collectors.toList()));
        return Optional.of(found).filter(all -> !all.isEmpty());
    }

    private static double weight(Diagnosis of) {
        return switch (of.confidence()) {
            case CERTAIN -> 1;
            case LIKELY -> 0.8;
            case POSSIBLE -> 0.5;
        };
    }
}
