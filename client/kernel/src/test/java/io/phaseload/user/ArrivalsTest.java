package io.phaseload.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.phaseload.plan.Load.Overload;
import io.phaseload.plan.share.Part;
import io.phaseload.schedule.BurstArrivals;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.schedule.StepArrivals;
import io.phaseload.user.Arrivals.Arrival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which requests are handed out, and what becomes of the others. */
class ArrivalsTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long ENDLESS = Long.MAX_VALUE / 2;
    private static final Schedule TEN_A_SECOND = new ConstantArrivals(Rate.perSecond(10));

    @Test
    void arrivalsAreTheScheduleInOrder() {
        Arrivals arrivals = arrivals(TEN_A_SECOND, Overload.QUEUE, SECOND, Long.MAX_VALUE);

        List<Arrival> claimed = claimAll(arrivals, 0);

        assertThat(claimed).hasSize(10);
        for (int i = 0; i < 10; i++) {
            assertThat(claimed.get(i)).isEqualTo(new Arrival(i, i * SECOND / 10));
        }
        assertThat(arrivals.claim(() -> 0)).isSameAs(Arrival.NONE);
        assertThat(arrivals.notSent("left", 10)).isEmpty();
    }

    /** Ten seconds late and still with its own time: the slip says how late it is. */
    @Test
    void aQueueKeepsLateArrivals() {
        Arrivals arrivals = arrivals(TEN_A_SECOND, Overload.QUEUE, ENDLESS, 20);

        List<Arrival> claimed = claimAll(arrivals, 10 * SECOND);

        assertThat(claimed).hasSize(20);
        assertThat(claimed.get(0)).isEqualTo(new Arrival(0, 0));
        assertThat(claimed.get(19).offsetNanos()).isEqualTo(19 * SECOND / 10);
        assertThat(arrivals.notSent("left", 20)).isEmpty();
    }

    /** Eleven are due at 0 to 10 s, all but the last one too late; the others are yet to come. */
    @Test
    void lateArrivalsAreDroppedAndCounted() {
        Schedule everySecond = new ConstantArrivals(Rate.perSecond(1));
        Arrivals arrivals = arrivals(everySecond, Overload.DROP, ENDLESS, 100);
        long now = 10 * SECOND + SECOND / 2;

        assertThat(arrivals.claim(() -> now)).isEqualTo(new Arrival(11, 11 * SECOND));
        assertThat(arrivals.claim(() -> now).index()).isEqualTo(12);
        assertThat(arrivals.dropped()).isEqualTo(11);
        assertThat(arrivals.notSent("left", 2)).containsExactly(entry("dropped", 11L), entry("left", 87L));
    }

    /** Else a request could look as if it were in time after a wait for others. */
    @Test
    @Timeout(30)
    void theTimeIsThatOfAUsersTurn() throws Exception {
        Arrivals arrivals = arrivals(TEN_A_SECOND, Overload.DROP, ENDLESS, 100);
        AtomicBoolean asked = new AtomicBoolean();
        Thread second = new Thread(() -> arrivals.claim(() -> {
            asked.set(true);
            return 0;
        }));

        arrivals.claim(() -> {
            second.start();
            while (second.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            assertThat(asked).isFalse();
            return 0;
        });

        second.join();
        assertThat(asked).isTrue();
    }

    /** Seven users, three and two and two of them together. */
    @Test
    void sharesAreProportionalToTheirUsersAndAddUp() {
        Arrivals arrivals = arrivals(TEN_A_SECOND, Overload.QUEUE, ENDLESS, 70);
        List<List<Long>> shares = new ArrayList<>();
        for (int part = 0; part < 3; part++) {
            Arrivals.Share share = arrivals.share(part, 3, 7);
            List<Long> indexes = new ArrayList<>();
            Arrival next = share.claim(0);
            while (next != Arrival.NONE) {
                assertThat(next.offsetNanos()).isEqualTo(next.index() * SECOND / 10);
                indexes.add(next.index());
                next = share.claim(0);
            }
            assertThat(share.claim(0)).isSameAs(Arrival.NONE);
            shares.add(indexes);
        }

        assertThat(shares).extracting(List::size).containsExactly(30, 20, 20);
        assertThat(shares.stream().flatMap(List::stream).sorted())
                .containsExactlyElementsOf(LongStream.range(0, 70).boxed().toList());
        assertThat(arrivals.notSent("left", 70)).isEmpty();
    }

    @Test
    void dropsOfSharesAreCountedTogether() {
        Arrivals arrivals = arrivals(TEN_A_SECOND, Overload.DROP, ENDLESS, 50);

        assertThat(arrivals.share(0, 2, 2).claim(10 * SECOND)).isSameAs(Arrival.NONE);
        assertThat(arrivals.dropped()).isEqualTo(25);
        assertThat(arrivals.share(1, 2, 2).claim(10 * SECOND)).isSameAs(Arrival.NONE);
        assertThat(arrivals.notSent("left", 0)).containsExactly(entry("dropped", 50L));
    }

    @Test
    void aMillisecondOfLatenessIsTolerated() {
        Schedule atOnce = new BurstArrivals(1, Duration.ofDays(1));

        assertThat(arrivals(atOnce, Overload.DROP, SECOND, 1).claim(() -> 1_000_000))
                .isEqualTo(new Arrival(0, 0));
        Arrivals late = arrivals(atOnce, Overload.DROP, SECOND, 1);
        assertThat(late.claim(() -> 1_000_001)).isSameAs(Arrival.NONE);
        assertThat(late.notSent("left", 0)).containsExactly(entry("dropped", 1L));
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsClaimedAfterTheEnd(Overload overload) {
        Arrivals arrivals = arrivals(TEN_A_SECOND, overload, SECOND, Long.MAX_VALUE);

        assertThat(arrivals.claim(() -> SECOND)).isSameAs(Arrival.NONE);
        assertThat(arrivals.claim(() -> 0)).as("once it is over").isSameAs(Arrival.NONE);
        assertThat(arrivals.notSent("left", 0)).containsExactly(entry("left", 10L));
    }

    @Test
    void theLastOneBeforeTheEndIsClaimed() {
        Schedule everySecond = new ConstantArrivals(Rate.perSecond(1));
        Arrivals arrivals = arrivals(everySecond, Overload.QUEUE, SECOND, Long.MAX_VALUE);

        assertThat(arrivals.claim(() -> SECOND - 1)).isEqualTo(new Arrival(0, 0));
    }

    /** The start at the very end isn't part of it. */
    @Test
    void aDurationAndALimitEachEndTheSequence() {
        assertThat(claimAll(arrivals(TEN_A_SECOND, Overload.QUEUE, SECOND + 1, 1_000), 0))
                .hasSize(11);
        assertThat(claimAll(arrivals(TEN_A_SECOND, Overload.QUEUE, SECOND, 1_000), 0))
                .hasSize(10);
        assertThat(claimAll(arrivals(TEN_A_SECOND, Overload.QUEUE, SECOND, 7), 0))
                .hasSize(7);
        assertThat(claimAll(arrivals(TEN_A_SECOND, Overload.QUEUE, SECOND, 0), 0))
                .isEmpty();
    }

    @Test
    void theEndOfTheScheduleEndsThePhase() {
        Schedule twoSteps = new StepArrivals(List.of(
                new StepArrivals.Step(Rate.perSecond(10), Duration.ofSeconds(1)),
                new StepArrivals.Step(Rate.perSecond(30), Duration.ofSeconds(1))));
        Arrivals arrivals = arrivals(twoSteps, Overload.QUEUE, ENDLESS, Long.MAX_VALUE);

        assertThat(claimAll(arrivals, 0)).hasSize(40);
        assertThat(arrivals.notSent("left", 40)).isEmpty();
    }

    /** Claimed, but not sent, since the run was stopped while it waited: it isn't lost. */
    @Test
    void claimedButUnsentArrivalsAreCountedAsQueued() {
        Arrivals arrivals = arrivals(TEN_A_SECOND, Overload.QUEUE, SECOND, Long.MAX_VALUE);
        arrivals.claim(() -> 0);
        arrivals.claim(() -> 0);
        arrivals.claim(() -> 0);

        assertThat(arrivals.notSent("interrupted", 2)).containsExactly(entry("interrupted", 8L));
    }

    /** A day at 1,000,000/s that was interrupted in its first second. */
    @Test
    @Timeout(30)
    void theRestOfADayIsNotCountedOneByOne() {
        Rate million = Rate.perSecond(1_000_000);
        for (Schedule schedule : List.of(new ConstantArrivals(million), new PoissonArrivals(million, 1))) {
            Arrivals arrivals = arrivals(schedule, Overload.QUEUE, 86_400 * SECOND, Long.MAX_VALUE);
            arrivals.claim(() -> 0);

            assertThat(arrivals.notSent("interrupted", 1).get("interrupted"))
                    .isBetween(86_399_000_000L, 86_401_000_000L);
        }
    }

    @Test
    void theSeedDeterminesTheArrivals() {
        Schedule poisson = new PoissonArrivals(Rate.perSecond(100), 42);

        List<Arrival> once = claimAll(arrivals(poisson, Overload.QUEUE, 5 * SECOND, Long.MAX_VALUE), 0);
        List<Arrival> again = claimAll(arrivals(poisson, Overload.DROP, 5 * SECOND, Long.MAX_VALUE), 0);

        assertThat(again).isEqualTo(once).hasSizeBetween(400, 600);
    }

    @Test
    void manyUsersClaimEachRequestOnce() throws Exception {
        int requests = 40_000;
        Arrivals arrivals =
                arrivals(new ConstantArrivals(Rate.perSecond(1_000_000)), Overload.QUEUE, ENDLESS, requests);
        List<Long> indexes = new ArrayList<>();
        ExecutorService users = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Arrival>>> claims = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                claims.add(users.submit(() -> claimAll(arrivals, 0)));
            }
            for (Future<List<Arrival>> claim : claims) {
                assertThat(claim.get()).extracting(Arrival::index).isSorted();
                claim.get().forEach(arrival -> indexes.add(arrival.index()));
            }
        } finally {
            users.shutdown();
        }

        assertThat(indexes).hasSize(requests).doesNotHaveDuplicates();
        assertThat(arrivals.notSent("left", requests)).isEmpty();
    }

    private static Arrivals arrivals(Schedule schedule, Overload overload, long duration, long limit) {
        Throttle throttle = new Throttle(1, Optional.of(schedule));
        return new Arrivals(throttle, overload, duration, limit, Part.WHOLE, 1, new long[] {1});
    }

    private static List<Arrival> claimAll(Arrivals arrivals, long elapsed) {
        List<Arrival> claimed = new ArrayList<>();
        Arrival next = arrivals.claim(() -> elapsed);
        while (next != Arrival.NONE) {
            claimed.add(next);
            next = arrivals.claim(() -> elapsed);
        }
        return claimed;
    }
}
