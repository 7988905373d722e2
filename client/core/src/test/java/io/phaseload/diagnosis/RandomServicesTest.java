package io.phaseload.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.SimulatedPhase.Answer;
import io.phaseload.diagnosis.SimulatedPhase.Asked;
import io.phaseload.diagnosis.SimulatedPhase.Pool;
import io.phaseload.measure.Outcome;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Healthy services whose every property is random, so that no rule was made for one of them. */
@Tag("slow")
class RandomServicesTest {

    private static final int SERVICES = 300;

    /** One in a hundred: times that wander upwards, or a line of waiting requests that gets long by chance. */
    private static final int MOST_ACCUSED = SERVICES / 100;

    @Test
    void hardlyAnyIsAccused() {
        List<String> accused = IntStream.range(0, SERVICES)
                // Neighbouring seeds begin with nearly the same number.
                .mapToObj(seed -> new RandomService(new SimulatedPhase(seed * 0x9E3779B97F4A7C15L)))
                .map(RandomService::diagnoses)
                .filter(found -> !found.isEmpty())
                .map(found -> found.get(0).id() + ": " + found.get(0).text())
                .toList();

        assertThat(accused).hasSizeLessThanOrEqualTo(MOST_ACCUSED);
    }

    /** A service, which goes on from request to request, and its load. */
    private static final class RandomService {

        private static final int SOME = 400;

        private final SimulatedPhase phase;
        private final List<DoubleSupplier> operations;
        private final Pool workers;
        private final boolean waits;
        private final double collectsEvery;
        private final double collects;
        private final double cold;
        private final double wanders;
        private final int ends;
        private double level;
        private double levelAt;

        RandomService(SimulatedPhase phase) {
            this.phase = phase;
            int count = phase.whole(1, 3);
            operations = Stream.generate(this::times).limit(count).toList();
            double mean = operations.stream()
                    .mapToDouble(of ->
                            DoubleStream.generate(of).limit(SOME).average().orElseThrow())
                    .average()
                    .orElseThrow();
            workers = new Pool((int) Math.ceil(load(mean) * mean / phase.between(0.05, 0.7)));
            waits = phase.chance(0.5);
            collectsEvery = phase.chance(0.25) ? phase.between(300, 2_300) : Double.MAX_VALUE;
            collects = phase.between(3, 25);
            cold = phase.chance(0.25) ? phase.between(0.3, 1.5) : 0;
            wanders = phase.chance(0.25) ? phase.between(0.02, 0.08) : 0;
            ends = phase.chance(0.25) ? phase.whole(25, 220) : Integer.MAX_VALUE;
            phase.connectMillis = phase.between(0.1, 10);
            phase.seconds(phase.whole(5, 14))
                    .asking(IntStream.range(0, count).mapToObj(i -> "GET /" + i).toArray(String[]::new));
        }

        /** A distribution of service times. */
        private DoubleSupplier times() {
            double millis = Math.exp(phase.between(0.7, 5));
            double width = phase.between(0.1, 0.9);
            double step = phase.between(4, 16);
            return switch (phase.whole(0, 4)) {
                case 0 -> () -> millis;
                case 1 -> () -> millis * phase.between(1 - width, 1 + width);
                case 2 -> () -> millis * Math.exp(width * phase.random.nextGaussian());
                case 3 -> () -> -millis * Math.log(1 - phase.random.nextDouble());
                default -> () -> step * Math.ceil(millis * phase.between(0.5, 1.5) / step);
            };
        }

        /** Makes the load, and gives its requests per millisecond. */
        private double load(double meanMillis) {
            double perSecond = Math.exp(phase.between(1.6, 5.7));
            Rate rate = Rate.perSecond(Math.round(perSecond));
            if (phase.chance(0.25)) {
                phase.at(new ConstantArrivals(rate));
            } else if (phase.chance(0.33)) {
                phase.at(new PoissonArrivals(rate, phase.random.nextLong()));
            } else {
                double pause = phase.chance(0.5) ? 0.5 : Math.exp(phase.between(2.3, 7.3));
                phase.users = phase.whole(1, 40);
                phase.thinking(pause / 2, 1.5 * pause);
                perSecond = 1_000 * phase.users / (meanMillis + pause);
            }
            return perSecond / 1_000;
        }

        List<Diagnosis> diagnoses() {
            return phase.of(this::answer).diagnoses();
        }

        private Answer answer(Asked asked) {
            for (; levelAt < asked.atMillis(); levelAt += 50) {
                level = Math.max(-0.4, Math.min(0.4, level + wanders * phase.random.nextGaussian()));
            }
            double work = operations.get(asked.count() % operations.size()).getAsDouble()
                    * Math.exp(level)
                    * (1 + cold * Math.exp(-asked.atMillis() / 200));
            double took = waits ? workers.millis(asked.atMillis(), work) : work;
            double since = (asked.atMillis() + took) % collectsEvery;
            return new Answer(
                    Outcome.SUCCESS, since < collects ? took + collects - since : took, asked.place() + 1 == ends);
        }
    }
}
