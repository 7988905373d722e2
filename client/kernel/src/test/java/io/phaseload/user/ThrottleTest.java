package io.phaseload.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.plan.Load;
import io.phaseload.plan.Load.Overload;
import io.phaseload.plan.LoadChange;
import io.phaseload.plan.LoadChange.Kind;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.share.Part;
import io.phaseload.schedule.BurstArrivals;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.Offsets;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.user.VirtualUser.Action;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Phases of ten seconds whose load is changed, on a clock that ticks in milliseconds. */
class ThrottleTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long START = 77 * SECOND;
    private static final PhaseLength TEN_SECONDS = new PhaseLength.Lasting(Duration.ofSeconds(10));
    private static final Load CONSTANT = open(new ConstantArrivals(Rate.perSecond(10)));

    /** Of each request: when it was due. */
    private final TreeMap<Long, Long> due = new TreeMap<>();

    private final Reachability target = new Reachability(true);

    /** Far more users are free than there are requests: they hold those of the next seconds. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void fromAChangeOnRequestsAreDueAtTheNewRate(int loops) {
        PhaseSettings settings = settings(CONSTANT, 60);
        Throttle throttle = new Throttle(settings);

        Arrivals arrivals = simulate(settings, throttle, loops, 0, now -> {
            if (now == 2_000) {
                change(throttle, Kind.RATE, "40/s", 2_050);
            } else if (now == 7_000) {
                change(throttle, Kind.RATE, "1/s", 7_050);
            }
        });

        // 0, 0.1 .. 2.0; then 2.05 + k / 40; then 7.05, 8.05, 9.05.
        assertThat(due.values().stream().filter(at -> at < 2_050 * MILLI)).hasSize(21);
        assertThat(due.values().stream().filter(at -> at >= 2_050 * MILLI && at < 7_050 * MILLI))
                .containsExactlyElementsOf(LongStream.range(0, 200)
                        .map(k -> 2_050 * MILLI + k * 25 * MILLI)
                        .boxed()
                        .toList());
        assertThat(due.values().stream().filter(at -> at >= 7_050 * MILLI))
                .containsExactly(7_050 * MILLI, 8_050 * MILLI, 9_050 * MILLI);
        assertNoneIsLost(arrivals, 224);
    }

    @ParameterizedTest
    @EnumSource
    void aPauseLeavesOutItsRequests(Overload overload) {
        PhaseSettings settings = settings(new Load.Open(new ConstantArrivals(Rate.perSecond(10)), overload), 30);
        Throttle throttle = new Throttle(settings);

        Arrivals arrivals = simulate(settings, throttle, 2, 0, now -> {
            if (now == 1_000) {
                change(throttle, Kind.PAUSE, "", 1_050);
            } else if (now == 6_000) {
                assertThat(throttle.paused(6_000 * MILLI)).isTrue();
                change(throttle, Kind.RESUME, "", 6_055);
            }
        });

        assertThat(due.values().stream().filter(at -> at < 6_055 * MILLI)).hasSize(11);
        assertThat(due.values().stream().filter(at -> at >= 6_055 * MILLI))
                .hasSize(40)
                .startsWith(6_055 * MILLI);
        assertNoneIsLost(arrivals, 51);
    }

    /** One user with requests of a second: the queue of the old rate is sent, too. */
    @Test
    void requestsThatWereDueBeforeAChangeAreStillSent() {
        PhaseSettings settings = settings(open(new ConstantArrivals(Rate.perSecond(3))), 1);
        Throttle throttle = new Throttle(settings);

        Arrivals arrivals = simulate(settings, throttle, 1, 1_000, now -> {
            if (now == 3_100) {
                change(throttle, Kind.PAUSE, "", 3_150);
            }
        });

        assertThat(due).hasSize(10);
        assertThat(arrivals.notSent("left", 10)).isEmpty();
    }

    @Test
    void sharesAgreeOnRandomArrivalsAfterAChange() {
        PhaseSettings settings = settings(open(new PoissonArrivals(Rate.perSecond(50), 9)), 100);
        Throttle throttle = new Throttle(settings);

        Arrivals arrivals = simulate(settings, throttle, 3, 0, now -> {
            if (now == 4_000) {
                change(throttle, Kind.RATE, "200/s", 4_050);
            }
        });

        assertThat(due.values().stream().filter(at -> at >= 4_050 * MILLI).count())
                .isBetween(1_190L - 150, 1_190L + 150);
        assertNoneIsLost(arrivals, throttle.startsBefore(10 * SECOND, Long.MAX_VALUE));
    }

    @Test
    void aRampGoesOnAfterAPause() {
        RampArrivals ramp = new RampArrivals(Rate.perSecond(10), Rate.perSecond(110), Duration.ofSeconds(10));
        PhaseSettings settings = settings(open(ramp), 40);
        Throttle throttle = new Throttle(settings);

        Arrivals arrivals = simulate(settings, throttle, 2, 0, now -> {
            if (now == 2_000) {
                change(throttle, Kind.PAUSE, "", 2_050);
            } else if (now == 5_000) {
                change(throttle, Kind.RESUME, "", 5_050);
            }
        });

        List<Long> planned = new ArrayList<>();
        Offsets offsets = ramp.offsets();
        for (long at = offsets.nextNanos(); at != Offsets.END; at = offsets.nextNanos()) {
            if (at < 2_050 * MILLI || at >= 5_050 * MILLI) {
                planned.add(at);
            }
        }
        assertThat(due.values()).containsExactlyElementsOf(planned);
        assertNoneIsLost(arrivals, planned.size());
        assertThat(throttle.level(6 * SECOND)).isEqualTo("70/s");
    }

    /** A total stays what it is: the last ones come later. */
    @Test
    void aTotalIsSentInAnyCase() {
        Phase phase = new Phase("peak", 1, new PhaseLength.Total(50), CONSTANT);
        PhaseSettings settings = settings(phase, 10);
        Throttle throttle = new Throttle(settings);

        Arrivals arrivals = simulate(settings, throttle, 2, 0, now -> {
            if (now == 1_000) {
                change(throttle, Kind.PAUSE, "", 1_050);
            } else if (now == 4_000) {
                change(throttle, Kind.RATE, "20/s", 4_050);
                change(throttle, Kind.RESUME, "", 4_050);
            }
        });

        assertThat(due).hasSize(50);
        assertThat(due.lastEntry().getValue()).isEqualTo(4_050 * MILLI + 38 * 50 * MILLI);
        assertThat(arrivals.notSent("left", 50)).isEmpty();
    }

    /** What was changed by hand, as a plan: the same requests at the same times. */
    @Test
    void aPlanRepeatsChanges() {
        PhaseSettings settings = settings(CONSTANT, 20);
        Throttle throttle = new Throttle(settings);
        simulate(settings, throttle, 2, 0, now -> {
            if (now == 2_000) {
                change(throttle, Kind.RATE, "40/s", 2_050);
                change(throttle, Kind.PAUSE, "", 3_000);
                change(throttle, Kind.RESUME, "", 8_000);
            }
        });
        TreeMap<Long, Long> byHand = new TreeMap<>(due);
        due.clear();
        Plan plan = settings.plan()
                .withChanges(List.of(
                        LoadChange.parse("peak at 2050ms: rate 40/s"),
                        LoadChange.parse("peak at 3s: pause"),
                        LoadChange.parse("peak at 8s: resume")));
        PhaseSettings again = new PhaseSettings(plan, plan.phases().get(0));

        simulate(again, new Throttle(again), 1, 0, now -> {});

        assertThat(due).isEqualTo(byHand).hasSize(21 + 38 + 80);
    }

    /** Two clients with a half each send what one would. */
    @Test
    void partsOfAPlanAgreeOnChanges() {
        PhaseSettings whole = settings(CONSTANT, 10);
        Plan plan = whole.plan().withChanges(List.of(LoadChange.parse("peak at 2050ms: rate 40/s")));
        for (String part : List.of("1/2", "2/2")) {
            PhaseSettings half = new PhaseSettings(plan.withPart(Part.parse(part)), whole.phase());
            simulate(half, new Throttle(half), 1, 0, now -> {});
        }

        assertThat(due).hasSize(21 + 318);
        assertThat(due.keySet())
                .containsExactlyElementsOf(LongStream.range(0, 339).boxed().toList());
    }

    /** Requests of 100 ms: ten a second for each user. */
    @Test
    void usersBeginAndPauseAtTheTimeOfAChange() {
        Phase phase = new Phase("peak", 1, TEN_SECONDS);
        PhaseSettings settings = settings(phase, 2);
        Throttle throttle = new Throttle(settings);
        List<ClosedUser> users = new ArrayList<>();
        List<Long> busy = new ArrayList<>();
        List<List<Long>> began = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            add(users, busy, began, settings, throttle, 0);
        }
        for (long now = 0; now <= 10_000; now++) {
            if (now == 2_000) {
                change(throttle, Kind.USERS, "5", 2_050);
                for (int i = 2; i < 5; i++) {
                    add(users, busy, began, settings, throttle, now);
                }
            } else if (now == 6_000) {
                change(throttle, Kind.USERS, "1", 6_050);
            } else if (now == 8_000) {
                change(throttle, Kind.USERS, "4", 8_050);
            }
            for (int i = 0; i < users.size(); i++) {
                if (busy.get(i) > now) {
                    continue;
                }
                ClosedUser user = users.get(i);
                if (user.next(START + now * MILLI, false) == Action.SEND) {
                    long sent = START + now * MILLI;
                    long from = user.answered(sent, FakePhase.answered(sent, sent + 100 * MILLI)) - START;
                    began.get(i).add(from / MILLI);
                    busy.set(i, now + 100);
                }
            }
        }

        assertThat(began.get(0)).hasSize(100);
        assertThat(began.get(1)).hasSize(61 + 20).contains(6_000L, 8_050L).doesNotContain(6_100L);
        assertThat(began.get(2)).startsWith(2_050L, 2_150L).hasSize(40 + 20);
        assertThat(began.get(4)).startsWith(2_050L).hasSize(40);
        users.forEach(
                user -> assertThat(user.time().over(START, START + 10 * SECOND).missing())
                        .as("no part of its time is lost")
                        .isZero());
    }

    private static void add(
            List<ClosedUser> users,
            List<Long> busy,
            List<List<Long>> began,
            PhaseSettings settings,
            Throttle throttle,
            long now) {
        users.add((ClosedUser) VirtualUser.of(
                settings,
                users.size(),
                throttle,
                START,
                START + now * MILLI,
                new Reachability(true),
                Optional.empty(),
                (of, at, exchange) -> {}));
        busy.add(0L);
        began.add(new ArrayList<>());
    }

    @Test
    void aChangeThatAPhaseCannotHaveIsRefused() {
        Phase open = new Phase("peak", 1, TEN_SECONDS, CONSTANT);
        Phase closed = new Phase("peak", 1, TEN_SECONDS);
        Phase counted = new Phase("peak", 1, new PhaseLength.Iterations(5));
        Phase bursts = new Phase("peak", 1, TEN_SECONDS, open(new BurstArrivals(5, Duration.ofSeconds(1))));

        refused(
                open,
                "peak at 1s: users 5",
                "users 5: phase peak has a rate; its users only wait for requests that are due");
        refused(closed, "peak at 1s: rate 5/s", "rate 5/s: phase peak has users instead of a rate");
        refused(
                counted,
                "peak at 1s: users 5",
                "users 5: phase peak has a number of iterations for each user instead of a duration");
        refused(bursts, "peak at 1s: rate 5/s", "rate 5/s: phase peak sends bursts");
        LoadChange.parse("peak at 1s: pause").check(bursts);
    }

    private static void refused(Phase phase, String change, String message) {
        assertThatThrownBy(() -> LoadChange.parse(change).check(phase)).hasMessage(message);
    }

    @Test
    void theTextOfAChangeIsReadBack() {
        for (String text : List.of(
                "peak at 12003.123456ms: rate 200/s",
                "warmup at 0.000000ms: users 20",
                "peak at 1000.000000ms: pause",
                "peak at 1.000001ms: next")) {
            assertThat(LoadChange.parse(text)).hasToString(text);
        }
        for (String wrong : List.of(
                "peak: rate 5/s",
                "peak at 5s: faster",
                "peak at 5s: rate 0/s",
                "peak at 5s: pause 3",
                "peak at 5s: users 0",
                "peak at 5s: stop")) {
            assertThatThrownBy(() -> LoadChange.parse(wrong)).hasMessageContaining("expected");
        }
    }

    /** By the time since the phase's start, in milliseconds. */
    private interface Script {
        void at(long now);
    }

    /** Each request takes as long; users are dealt to loops as the events engine does. */
    private Arrivals simulate(PhaseSettings settings, Throttle throttle, int loops, long tookMillis, Script script) {
        Arrivals arrivals = settings.newArrivals(throttle).orElseThrow();
        List<Arrivals.Share> shares = new ArrayList<>();
        for (int i = 0; i < loops; i++) {
            shares.add(arrivals.share(i, loops, settings.users()));
        }
        List<OpenUser> users = new ArrayList<>();
        long[] busy = new long[settings.users()];
        Arrivals.Arrival[] claimed = new Arrivals.Arrival[settings.users()];
        for (int i = 0; i < settings.users(); i++) {
            users.add(new OpenUser(settings, throttle, START, target, new FixedCourse(new int[] {0}, true, null)));
        }
        for (long now = 0; now < 12_000; now++) {
            script.at(now);
            for (int i = 0; i < users.size(); i++) {
                boolean asked = busy[i] <= now;
                while (asked) {
                    long nanos = START + now * MILLI;
                    switch (users.get(i).next(nanos, false)) {
                        case CLAIM -> {
                            claimed[i] = shares.get(i % loops).claim(now * MILLI);
                            users.get(i).take(claimed[i]);
                        }
                        case SEND -> {
                            long at =
                                    users.get(i).answered(nanos, FakePhase.answered(nanos, nanos + tookMillis * MILLI))
                                            - START;
                            assertThat(due.put(claimed[i].index(), at))
                                    .as("sent once")
                                    .isNull();
                            busy[i] = now + tookMillis;
                            asked = tookMillis == 0;
                        }
                        default -> asked = false;
                    }
                }
            }
        }
        return arrivals;
    }

    private void assertNoneIsLost(Arrivals arrivals, long count) {
        assertThat(due.keySet())
                .containsExactlyElementsOf(LongStream.range(0, count).boxed().toList());
        assertThat(List.copyOf(due.values())).isSorted();
        assertThat(arrivals.notSent("left", count)).isEmpty();
    }

    private static void change(Throttle throttle, Kind kind, String to, long millis) {
        throttle.change(new LoadChange("peak", Duration.ofMillis(millis), kind, to), millis * MILLI);
    }

    private static Load open(Schedule schedule) {
        return new Load.Open(schedule, Overload.QUEUE);
    }

    private static PhaseSettings settings(Load load, int users) {
        return settings(new Phase("peak", 1, TEN_SECONDS, load), users);
    }

    private static PhaseSettings settings(Phase phase, int users) {
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .threads(users)
                .operations(Operation.get("/"))
                .phases(phase)
                .build();
        return new PhaseSettings(plan, phase);
    }
}
