package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.connections.SerialStreams;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.diagnosis.evidence.DiagnosisRule;
import io.phaseload.diagnosis.evidence.Facts;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.statistics.Line;
import io.phaseload.measure.recording.SampledRequest;
import io.phaseload.plan.Load;
import io.phaseload.timing.StreamTimings;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** More users or requests, and no more that gets done. */
public final class Saturation {

    /** The rule. */
    public static final DiagnosisRule RULE =
            new DiagnosisRule(Claim.of("saturation"), Saturation::judge).unlessClientLimited();

    private static final long LEAST_REQUESTS = 30;

    /** A model's answers are few, and all begin after about the same time. */
    private static final long LEAST_STREAMS = 8;

    private static final long FEW_REQUESTS = 100;
    private static final Duration LEAST_WALL = Duration.ofSeconds(1);
    private static final double MORE_USERS = 1.5;
    private static final double MORE_DONE = 1.1;
    private static final double MORE_DUE = 1.1;
    private static final double SLOWER = 1.3;

    /** Of few requests, whose figures are rough. */
    private static final double FAR_SLOWER = 2;

    private static final double MANY_MORE_USERS = 2;
    private static final double HALF = 0.5;
    private static final double MANY_TIMES = 3;
    private static final double LEAST_WAIT_MILLIS = 100;

    private static final int LEAST_LINE = 4;
    private static final double LEAST_WAIT = 2e7;
    private static final double BUSY = 0.9;

    /** Failures explain more than waiting does. */
    private static final double WEIGHT = 0.5;

    private Saturation() {}

    /** Two phases one after another, of which the later one has more users and gets no more done. */
    record PhasePair(PhaseSeries few, PhaseSeries many) {

        private boolean isSaturated() {
            boolean atOnce = few.isAtOnce() && many.isAtOnce();
            return few.names().equals(many.names()) && fewMillis() > 0 && (atOnce && isFlat() || waits());
        }

        private boolean isFlat() {
            return many.users() >= MORE_USERS * few.users()
                    && manyPerSecond() <= MORE_DONE * perSecond(few)
                    && manyMillis() >= slower() * fewMillis();
        }

        /** Whether the fewer users didn't load it fully, and most of the others wait. */
        private boolean waits() {
            return many.users() >= MANY_MORE_USERS * few.users()
                    && manyPerSecond() * few.users() <= HALF * perSecond(few) * many.users()
                    && manyMillis() >= MANY_TIMES * fewMillis()
                    && manyMillis() >= fewMillis() + LEAST_WAIT_MILLIS;
        }

        private double slower() {
            return Math.min(few.all().succeeded(), many.all().succeeded()) < FEW_REQUESTS ? FAR_SLOWER : SLOWER;
        }

        /** The operation that takes most of the later one's time: others may be as fast as before. */
        private int operation() {
            return IntStream.range(0, many.names().size())
                    .boxed()
                    .max(Comparator.comparingDouble(i -> many.only(i).sum(Timing.SERVICE)))
                    .orElseThrow();
        }

        private String timeInWords() {
            return (ofStreams(many.only(operation())) ? "the mean time to the first event of " : "the mean of ")
                    + many.inWords(operation());
        }

        private double fewMillis() {
            return meanMillis(few.only(operation()));
        }

        private double manyMillis() {
            return meanMillis(many.only(operation()));
        }

        double manyPerSecond() {
            return perSecond(many);
        }

        /** The part of the later one's time that is mere waiting, from 0 to 1. */
        double waiting() {
            return 1 - fewMillis() / manyMillis();
        }

        /** The mean, since a line before a lock may be long for few requests; a stream waits before it begins. */
        private static double meanMillis(PhaseSeries phase) {
            Timing timing = ofStreams(phase) ? StreamTimings.FIRST_EVENT : Timing.SERVICE;
            return phase.all().histogram(timing).getMean() / 1e6;
        }

        private static boolean ofStreams(PhaseSeries phase) {
            return phase.all().count(StreamTimings.FIRST_EVENT) > 0;
        }

        private static double perSecond(PhaseSeries phase) {
            return phase.all().succeeded() * 1e9 / phase.wall().toNanos();
        }
    }

    static List<PhasePair> pairs(RunSeries run) {
        List<PhaseSeries> phases = run.phases().stream()
                .filter(phase -> phase.load() instanceof Load.Closed && phase.isConstant())
                .filter(phase ->
                        phase.all().succeeded() >= (PhasePair.ofStreams(phase) ? LEAST_STREAMS : LEAST_REQUESTS))
                .filter(phase -> phase.wall().compareTo(LEAST_WALL) >= 0)
                .toList();
        return IntStream.range(1, phases.size())
                .mapToObj(i -> new PhasePair(phases.get(i - 1), phases.get(i)))
                .filter(PhasePair::isSaturated)
                .toList();
    }

    private static List<Diagnosis> judge(RunSeries run) {
        List<PhaseSeries> phases = run.phases();
        return Stream.of(
                        pairs(run).stream().map(Saturation::diagnosis),
                        IntStream.range(1, phases.size())
                                .filter(i -> hasMore(phases.get(i), phases.get(i - 1)))
                                .mapToObj(i -> Overload.passing(phases.get(i))
                                        .map(overload -> diagnosis(phases.get(i), overload)))
                                .flatMap(Optional::stream),
                        phases.stream()
                                .flatMap(phase -> Overload.of(phase)
                                        .map(overload -> diagnosis(phase, overload))
                                        .or(() -> inLine(phase))
                                        .stream()))
                .flatMap(found -> found)
                .toList();
    }

    /** Whether a phase's rate is higher than that of another one. */
    private static boolean hasMore(PhaseSeries phase, PhaseSeries other) {
        return phase.constantRate().isPresent()
                && other.constantRate()
                        .filter(rate -> MORE_DUE * rate.perSecond()
                                <= phase.constantRate().get().perSecond())
                        .isPresent();
    }

    /** Looks for an operation, or for all, whose requests wait for each other all the time. */
    private static Optional<Diagnosis> inLine(PhaseSeries phase) {
        if (!(phase.load() instanceof Load.Closed) || !phase.hasAll() || SerialStreams.mayExplain(phase)) {
            return Optional.empty();
        }
        return Stream.concat(
                        phase.facts().stream().map(Facts::requests),
                        Stream.of(phase.requests()
                                .sorted(Comparator.comparingLong(SampledRequest::sentNanos))
                                .toList()))
                .map(requests -> Line.of(List.of(requests)))
                .filter(Line::isReal)
                .filter(line -> 1 + line.medianAhead() >= LEAST_LINE)
                .filter(line -> line.stepNanos() * line.ahead() >= LEAST_WAIT)
                .filter(line -> line.stepNanos() * line.all().size()
                        >= BUSY * phase.wall().toNanos())
                .findFirst()
                .map(line -> diagnosis(phase, line));
    }

    private static Diagnosis diagnosis(PhasePair pair) {
        return RULE.claim()
                .ofRun(
                        pair.many().words(),
                        Confidence.LIKELY,
                        WEIGHT * pair.waiting(),
                        pair.many()
                                .words()
                                .text("with %d [users] %.0f [requests] a second ended, with %d [users]")
                                .formatted(
                                        pair.few().users(),
                                        PhasePair.perSecond(pair.few()),
                                        pair.many().users()),
                        pair.manyPerSecond(),
                        pair.timeInWords(),
                        pair.fewMillis(),
                        pair.manyMillis());
    }

    private static Diagnosis diagnosis(PhaseSeries phase, Line line) {
        List<SampledRequest> requests = line.requests();
        double mean = requests.stream()
                .mapToLong(SampledRequest::serviceNanos)
                .average()
                .orElse(0);
        boolean all = requests.size() == phase.requests().count();
        return RULE.claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        WEIGHT * line.waiting() * phase.shareOfTime(mean * requests.size()),
                        phase.words().text("with %d [users]").formatted(phase.users()),
                        requests.size() * 1e9 / phase.wall().toNanos(),
                        phase.words()
                                .text("the time of %s [requests], which wait for each other,")
                                .formatted(
                                        all
                                                ? "all"
                                                : phase.inWords(requests.get(0).operation())),
                        line.stepNanos() / 1e6,
                        mean / 1e6);
    }

    private static Diagnosis diagnosis(PhaseSeries phase, Overload overload) {
        double part = (double) overload.untilNanos() / phase.wall().toNanos();
        String until = part == 1
                ? ""
                : ", until %.1f s into the run,".formatted(phase.startSeconds() + overload.untilNanos() / 1e9);
        return RULE.claim()
                .in(
                        phase,
                        Confidence.LIKELY,
                        WEIGHT * part * (1 - overload.firstNanos() / overload.lastNanos()),
                        "at a rate of %.0f a second%s".formatted(overload.due(), until),
                        overload.ended(),
                        "response times",
                        overload.firstNanos() / 1e6,
                        overload.lastNanos() / 1e6);
    }
}
