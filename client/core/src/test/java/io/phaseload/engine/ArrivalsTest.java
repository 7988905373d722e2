package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.phaseload.engine.Arrivals.Arrival;
import io.phaseload.plan.Load;
import io.phaseload.plan.Load.Overload;
import io.phaseload.schedule.BurstArrivals;
import io.phaseload.schedule.ConstantArrivals;
import io.phaseload.schedule.PoissonArrivals;
import io.phaseload.schedule.Rate;
import io.phaseload.schedule.Schedule;
import io.phaseload.schedule.StepArrivals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which requests are handed out, and what becomes of the others. The phase's start is put into the
 * past or the future, so that no test has to wait.
 */
class ArrivalsTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long ENDLESS = Long.MAX_VALUE / 2;
    private static final Schedule TEN_A_SECOND = new ConstantArrivals(Rate.perSecond(10));

    @Test
    void whatIsClaimedIsTheScheduleInItsOrder() {
        long start = System.nanoTime() + 100 * SECOND;
        Arrivals arrivals = arrivals(TEN_A_SECOND, Overload.QUEUE, start, SECOND, Long.MAX_VALUE);

        List<Arrival> claimed = claimAll(arrivals);

        assertThat(claimed).hasSize(10);
        for (int i = 0; i < 10; i++) {
            assertThat(claimed.get(i)).isEqualTo(new Arrival(i, start + i * SECOND / 10));
        }
        assertThat(arrivals.claim()).isNull();
        assertThat(arrivals.notSent("left", 10)).isEmpty();
    }

    /** Ten seconds late and still with its own time: the slip says how late it is. */
    @Test
    void aQueueKeepsWhatIsLate() {
        long start = System.nanoTime() - 10 * SECOND;
        Arrivals arrivals = arrivals(TEN_A_SECOND, Overload.QUEUE, start, ENDLESS, 20);

        List<Arrival> claimed = claimAll(arrivals);

        assertThat(claimed).hasSize(20);
        assertThat(claimed.get(0)).isEqualTo(new Arrival(0, start));
        assertThat(claimed.get(19).intendedNanos()).isEqualTo(start + 19 * SECOND / 10);
        assertThat(arrivals.notSent("left", 20)).isEmpty();
    }

    /** Eleven are due at 0 to 10 s, all but the last one too late; the others are yet to come. */
    @Test
    void whatIsLateIsDroppedAndCounted() {
        Schedule everySecond = new ConstantArrivals(Rate.perSecond(1));
        long start = System.nanoTime() - 10 * SECOND - SECOND / 2;
        Arrivals arrivals = arrivals(everySecond, Overload.DROP, start, ENDLESS, 100);

        Arrival first = arrivals.claim();

        assertThat(first).isEqualTo(new Arrival(11, start + 11 * SECOND));
        assertThat(arrivals.claim().index()).isEqualTo(12);
        assertThat(arrivals.notSent("left", 2))
                .containsExactly(entry("dropped", 11L), entry("left", 87L));
    }

    /** Seven users, three and two and two of them together. */
    @Test
    void sharesAreTheWholeAndAsLargeAsTheirUsersAreMany() {
        long start = System.nanoTime() - 10 * SECOND;
        Arrivals arrivals = arrivals(TEN_A_SECOND, Overload.QUEUE, start, ENDLESS, 70);
        List<List<Long>> shares = new ArrayList<>();
        for (int part = 0; part < 3; part++) {
            Arrivals.Share share = arrivals.share(part, 3, 7);
            List<Long> indexes = new ArrayList<>();
            for (Arrival next = share.claim(); next != null; next = share.claim()) {
                assertThat(next.intendedNanos()).isEqualTo(start + next.index() * SECOND / 10);
                indexes.add(next.index());
            }
            assertThat(share.claim()).isNull();
            shares.add(indexes);
        }

        assertThat(shares).extracting(List::size).containsExactly(30, 20, 20);
        assertThat(shares.stream().flatMap(List::stream).sorted())
                .containsExactlyElementsOf(LongStream.range(0, 70).boxed().toList());
        assertThat(arrivals.notSent("left", 70)).isEmpty();
    }

    @Test
    void whatSharesDropIsCountedTogether() {
        long start = System.nanoTime() - 10 * SECOND;
        Arrivals arrivals = arrivals(TEN_A_SECOND, Overload.DROP, start, ENDLESS, 50);

        assertThat(arrivals.share(0, 2, 2).claim()).isNull();
        assertThat(arrivals.dropped()).isEqualTo(25);
        assertThat(arrivals.share(1, 2, 2).claim()).isNull();
        assertThat(arrivals.notSent("left", 0)).containsExactly(entry("dropped", 50L));
    }

    /** All are due at the start; how late the claim is, is known from before and after it. */
    @Test
    void aMillisecondLateIsNotTooLate() {
        Schedule atOnce = new BurstArrivals(1, Duration.ofDays(1));
        boolean claimed = false;
        for (int attempt = 0; attempt < 1_000 && !claimed; attempt++) {
            long start = System.nanoTime() - 500_000;
            Arrival arrival = arrivals(atOnce, Overload.DROP, start, SECOND, 1).claim();
            boolean within = System.nanoTime() - start <= 1_000_000;
            claimed = within;
            if (within) {
                assertThat(arrival).isEqualTo(new Arrival(0, start));
            }
        }
        assertThat(claimed).as("a claim within a millisecond").isTrue();
        Arrivals late = arrivals(atOnce, Overload.DROP, System.nanoTime() - 1_000_001, SECOND, 1);
        assertThat(late.claim()).isNull();
        assertThat(late.notSent("left", 0)).containsExactly(entry("dropped", 1L));
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsClaimedAfterTheEnd(Overload overload) {
        Arrivals arrivals =
                arrivals(
                        TEN_A_SECOND, overload, System.nanoTime() - SECOND, SECOND, Long.MAX_VALUE);

        assertThat(arrivals.claim()).isNull();
        assertThat(arrivals.claim()).isNull();
        assertThat(arrivals.notSent("left", 0)).containsExactly(entry("left", 10L));
    }

    /** The start at the very end isn't part of it. */
    @Test
    void aDurationAndALimitEachEndTheSequence() {
        long start = System.nanoTime() + 100 * SECOND;

        assertThat(claimAll(arrivals(TEN_A_SECOND, Overload.QUEUE, start, SECOND + 1, 1_000)))
                .hasSize(11);
        assertThat(claimAll(arrivals(TEN_A_SECOND, Overload.QUEUE, start, SECOND, 1_000)))
                .hasSize(10);
        assertThat(claimAll(arrivals(TEN_A_SECOND, Overload.QUEUE, start, SECOND, 7))).hasSize(7);
        assertThat(claimAll(arrivals(TEN_A_SECOND, Overload.QUEUE, start, SECOND, 0))).isEmpty();
    }

    @Test
    void aScheduleThatEndsEndsThePhase() {
        Schedule twoSteps =
                new StepArrivals(
                        List.of(
                                new StepArrivals.Step(Rate.perSecond(10), Duration.ofSeconds(1)),
                                new StepArrivals.Step(Rate.perSecond(30), Duration.ofSeconds(1))));
        Arrivals arrivals =
                arrivals(
                        twoSteps,
                        Overload.QUEUE,
                        System.nanoTime() + 100 * SECOND,
                        ENDLESS,
                        Long.MAX_VALUE);

        assertThat(claimAll(arrivals)).hasSize(40);
        assertThat(arrivals.notSent("left", 40)).isEmpty();
    }

    /** Claimed, but not sent, since the run was stopped while it waited: it isn't lost. */
    @Test
    void whatWasClaimedAndNotSentIsCountedWithTheRest() {
        Arrivals arrivals =
                arrivals(
                        TEN_A_SECOND,
                        Overload.QUEUE,
                        System.nanoTime() + 100 * SECOND,
                        SECOND,
                        Long.MAX_VALUE);
        arrivals.claim();
        arrivals.claim();
        arrivals.claim();

        assertThat(arrivals.notSent("interrupted", 2)).containsExactly(entry("interrupted", 8L));
    }

    /** A day at 1,000,000/s that was interrupted in its first second. */
    @Test
    @Timeout(30)
    void whatIsLeftOfADayIsNotCountedOneByOne() {
        Rate million = Rate.perSecond(1_000_000);
        long start = System.nanoTime() + 100 * SECOND;
        for (Schedule schedule :
                List.of(new ConstantArrivals(million), new PoissonArrivals(million, 1))) {
            Arrivals arrivals =
                    arrivals(schedule, Overload.QUEUE, start, 86_400 * SECOND, Long.MAX_VALUE);
            arrivals.claim();

            assertThat(arrivals.notSent("interrupted", 1).get("interrupted"))
                    .isBetween(86_399_000_000L, 86_401_000_000L);
        }
    }

    @Test
    void aSeedMakesTheSameRequests() {
        long start = System.nanoTime() + 100 * SECOND;
        Schedule poisson = new PoissonArrivals(Rate.perSecond(100), 42);

        List<Arrival> once =
                claimAll(arrivals(poisson, Overload.QUEUE, start, 5 * SECOND, Long.MAX_VALUE));
        List<Arrival> again =
                claimAll(arrivals(poisson, Overload.DROP, start, 5 * SECOND, Long.MAX_VALUE));

        assertThat(again).isEqualTo(once).hasSizeBetween(400, 600);
    }

    @Test
    void manyUsersClaimEachRequestOnce() throws Exception {
        int requests = 40_000;
        Arrivals arrivals =
                arrivals(
                        new ConstantArrivals(Rate.perSecond(1_000_000)),
                        Overload.QUEUE,
                        System.nanoTime() + 100 * SECOND,
                        ENDLESS,
                        requests);
        List<Long> indexes = new ArrayList<>();
        ExecutorService users = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Arrival>>> claims = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                claims.add(users.submit(() -> claimAll(arrivals)));
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

    private static Arrivals arrivals(
            Schedule schedule, Overload overload, long start, long duration, long limit) {
        return new Arrivals(new Load.Open(schedule, overload), start, duration, limit);
    }

    private static List<Arrival> claimAll(Arrivals arrivals) {
        List<Arrival> claimed = new ArrayList<>();
        for (Arrival next = arrivals.claim(); next != null; next = arrivals.claim()) {
            claimed.add(next);
        }
        return claimed;
    }
}
