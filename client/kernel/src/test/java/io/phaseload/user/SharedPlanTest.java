package io.phaseload.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Load;
import io.phaseload.plan.Pause;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.share.Part;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.user.Arrivals.Arrival;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clients that share a plan send together what one client would, each request once. */
class SharedPlanTest {

    private static final int PLANS = 300;

    /** What tells one closed user from the others. */
    private record User(long random, long rampNanos) {}

    @Test
    void closedUsersAreThoseOfOneClient() {
        for (int seed = 0; seed < PLANS; seed++) {
            Random random = new Random(seed);
            Load load = new Load.Closed(Pause.NONE, Pause.NONE, Duration.ofSeconds(7));
            PhaseLength length = counted(random);
            Plan plan = plan(random, load, length);
            List<User> together = new ArrayList<>();
            long asked = 0;
            for (Part part : parts(random)) {
                PhaseSettings own = settings(plan.withPart(part));
                together.addAll(users(own));
                asked += own.asked();
            }

            assertThat(together).containsExactlyInAnyOrderElementsOf(users(settings(plan)));
            assertThat(asked).isEqualTo(settings(plan).asked());
            if (length instanceof PhaseLength.Total total) {
                assertThat(asked).isEqualTo(total.count());
            }
        }
    }

    @Test
    void arrivalsAreThoseOfOneClient() {
        for (int seed = 0; seed < PLANS; seed++) {
            Random random = new Random(seed);
            boolean timed = random.nextBoolean();
            Rate rate = Rate.perSecond(1 + random.nextInt(300));
            Schedule schedule =
                    random.nextBoolean() ? new ConstantArrivals(rate) : new PoissonArrivals(rate, random.nextLong());
            PhaseLength length =
                    timed ? new PhaseLength.Lasting(Duration.ofMillis(1 + random.nextInt(3_000))) : counted(random);
            Plan plan = plan(random, new Load.Open(schedule, Load.Overload.QUEUE), length);
            List<Arrival> together = new ArrayList<>();
            long left = 0;
            for (Part part : parts(random)) {
                Arrivals own = arrivals(settings(plan.withPart(part))).orElseThrow();
                left += sum(own.notSent("left", 0));
                together.addAll(claimed(own, random.nextInt(3) + 1));
            }
            together.sort(Comparator.comparing(Arrival::index));

            Arrivals whole = arrivals(settings(plan)).orElseThrow();
            assertThat(left).isEqualTo(sum(whole.notSent("left", 0)));
            assertThat(together).isEqualTo(claimed(whole, 1));
        }
    }

    @Test
    void connectionsAreOpenedAtTheSamePaceTogether() {
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .threads(10)
                .engine(EngineSettings.builder("threads")
                        .connectRate(Rate.perSecond(100))
                        .build())
                .build();
        Phase peak = plan.phases().get(2);
        // Four of ten users: 40 connections a second.
        ConnectPace own = new PhaseSettings(plan.withPart(Part.parse("1/3")), peak)
                .newConnectPace()
                .orElseThrow();

        assertThat(own.next(0)).isZero();
        assertThat(own.next(0)).isEqualTo(25_000_000);
    }

    private static PhaseLength counted(Random random) {
        return random.nextBoolean()
                ? new PhaseLength.Iterations(1 + random.nextInt(5))
                : new PhaseLength.Total(1 + random.nextInt(200));
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private static Plan plan(Random random, Load load, PhaseLength length) {
        double share = (1 + random.nextInt(100)) / 100.0;
        return Plan.builder(URI.create("http://localhost/"))
                .threads(1 + random.nextInt(40))
                .seed(random.nextInt(1_000))
                .phases(new Phase("peak", share, length, load))
                .build();
    }

    /** Turns dealt to clients at random; some clients may have none, which are left out. */
    private static List<Part> parts(Random random) {
        int of = 1 + random.nextInt(7);
        int clients = 1 + random.nextInt(4);
        List<List<Integer>> turns = IntStream.range(0, clients)
                .<List<Integer>>mapToObj(i -> new ArrayList<>())
                .toList();
        IntStream.range(0, of)
                .forEach(turn -> turns.get(random.nextInt(clients)).add(turn));
        return turns.stream()
                .filter(own -> !own.isEmpty())
                .map(own -> new Part(own, of))
                .toList();
    }

    private static PhaseSettings settings(Plan plan) {
        return new PhaseSettings(plan, plan.phases().get(0));
    }

    private static List<User> users(PhaseSettings settings) {
        return IntStream.range(0, settings.users())
                .mapToObj(i -> new User(settings.random(i).nextLong(), settings.rampNanos(i)))
                .toList();
    }

    /** All of them, by a client with so many event loops. */
    private static List<Arrival> claimed(Arrivals arrivals, int loops) {
        List<Arrival> claimed = new ArrayList<>();
        for (int loop = 0; loop < loops; loop++) {
            Arrivals.Share share = arrivals.share(loop, loops, loops + 2);
            Arrival next = share.claim(0);
            while (next != Arrival.NONE) {
                claimed.add(next);
                next = share.claim(0);
            }
        }
        claimed.sort(Comparator.comparing(Arrival::index));
        return claimed;
    }

    private static Optional<Arrivals> arrivals(PhaseSettings settings) {
        return settings.newArrivals(new Throttle(settings));
    }
}
