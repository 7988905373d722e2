package io.phaseload.httpclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.engine.ClientThreads;
import io.phaseload.engine.Measurement.PhaseMeasurement;
import io.phaseload.engine.threads.UserThreads;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Peer;
import io.phaseload.http.Script;
import io.phaseload.measure.Interval;
import io.phaseload.measure.Tallies;
import io.phaseload.measure.Tally;
import io.phaseload.measure.UsersTime;
import io.phaseload.plan.engine.Access;
import io.phaseload.plan.engine.ConnectionPool;
import io.phaseload.plan.engine.ConnectionPool.Concurrency;
import io.phaseload.plan.engine.ConnectionPool.Policy;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.run.RunListener;
import io.phaseload.timing.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Users that share connections. */
@Tag("slow")
@Timeout(120)
class PoolTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @AfterEach
    void nothingIsLeft() throws Exception {
        assertThat(ClientThreads.awaitNone()).isEmpty();
    }

    /**
     * All connections are busy from the first request to the last, and each user has a request in the system at any
     * time. So in each of the 250 rounds of 8, a request waits for as many rounds as there are requests before it: the
     * first 200 for 0 to 24, all others for 25 without their user's own last request.
     */
    @Test
    void theWaitIsWhatLittlesLawSays() throws Exception {
        int users = 200;
        int connections = 8;
        int iterations = 10;
        int requests = users * iterations;
        Script slow = peer -> {
            while (true) {
                peer.readRequest();
                peer.pause(Duration.ofMillis(20));
                peer.write(Peer.OK);
            }
        };
        PhaseMeasurement phase;
        int opened;
        List<Map<String, Double>> held = new CopyOnWriteArrayList<>();
        try (MisbehavingServer server = MisbehavingServer.start(slow)) {
            RunListener listener = new RunListener() {
                @Override
                public void interval(Interval interval) {
                    held.add(interval.client().values());
                }
            };
            phase = SharedRun.run(server.uri(), users, iterations, settings(pool(connections)), listener);
            opened = server.connections();
        }

        Tally all = Tallies.sum(phase.operations());
        assertThat(all.succeeded()).isEqualTo(requests);
        assertThat(all.count(Timing.LEASE)).isEqualTo(requests);
        assertThat(all.count(Timing.SET_UP)).isEqualTo(opened).isEqualTo(connections);
        double round = phase.wall().toNanos() * (double) connections / requests;
        double service = all.histogram(Timing.SERVICE).getMean();
        double first = round * (users / connections - 1) / 2;
        double later = round * users / connections - service;
        // Where threads wait for a CPU, users ask for connections later, and wait less for them.
        UsersTime time = phase.client().usersTime().orElseThrow();
        double late = (double) time.unscheduled().plus(time.missing()).toNanos() / requests;
        double expected = (first + later * (iterations - 1)) / iterations - late;
        assertThat(all.histogram(Timing.LEASE).getMean()).isCloseTo(expected, within(expected * 0.05));
        assertThat(all.histogram(Timing.RESPONSE).getMean())
                .isCloseTo(expected + service, within((expected + service) * 0.05));
        assertThat(all.histogram(Timing.SLIP).getMaxValue()).isZero();
        // In the first second, every user has a connection or waits, but for a moment.
        Map<String, Double> early = held.get(0);
        assertThat(early.get("poolLeased")).isBetween(1.0, (double) connections);
        assertThat(early.get("poolLeased") + early.get("poolAvailable")).isLessThanOrEqualTo(connections);
        assertThat(early.get("poolPending")).isBetween(users / 2.0, users - 1.0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void countsAreTheServersOwn(boolean virtual) throws Exception {
        assumeThat(!virtual || UserThreads.virtualSupported())
                .as("this JDK has virtual threads")
                .isTrue();
        AtomicLong requests = new AtomicLong();
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                long number = requests.getAndIncrement();
                if (number % 50 == 11) {
                    peer.awaitHangUp();
                    return;
                } else if (number % 20 == 7) {
                    peer.reset();
                    return;
                } else if (number % 25 == 4) {
                    peer.write(Peer.OK.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
                    return;
                } else if (number % 10 == 3) {
                    peer.write("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy");
                } else {
                    peer.write(Peer.OK);
                }
            }
        };
        Tally all;
        int connections;
        try (MisbehavingServer server = MisbehavingServer.start(script)) {
            all = SharedRun.tally(SharedRun.plan(server.uri(), 40, 15, settings(pool(8)))
                    .virtualThreads(virtual)
                    .build());
            connections = server.connections();
        }

        Map<String, Long> failures = new TreeMap<>();
        all.causes().forEach((cause, failed) -> failures.put(cause, failed.count()));
        assertThat(requests.get()).isEqualTo(600);
        assertThat(all.requests()).isEqualTo(600);
        assertThat(failures).isEqualTo(Map.of("http 503", 60L, "reset before response", 30L, "read timeout", 12L));
        assertThat(all.counters().censored()).isEqualTo(12);
        assertThat(all.counters().resent()).isZero();
        assertThat(all.count(Timing.SET_UP)).isEqualTo(connections);
        assertThat(all.count(Timing.LEASE)).isEqualTo(600);
    }

    /** Its time is the limit; nothing of it is service. */
    @Test
    void whoGetsNoConnectionInTimeHasALeaseTimeout() throws Exception {
        Duration limit = Duration.ofMillis(200);
        Script slow = peer -> {
            peer.readRequest();
            peer.pause(Duration.ofMillis(700));
            peer.write(Peer.OK);
            Script.BEHAVE.play(peer);
        };
        try (MisbehavingServer server = MisbehavingServer.start(slow)) {
            HttpClientSettings settings = new HttpClientSettings(pool(1), limit, 0, Set.of(), Access.OPEN);
            Tally all = SharedRun.tally(server.uri(), 3, 1, settings);

            assertThat(all.requests()).isEqualTo(3);
            assertThat(all.succeeded()).isEqualTo(1);
            assertThat(all.causes().get("lease timeout").count()).isEqualTo(2);
            assertThat(all.counters().censored()).isEqualTo(2);
            assertThat(all.histogram(Timing.FAILED).getMaxValue() / 1e6).isCloseTo(200, within(1.0));
            assertThat(all.histogram(Timing.LEASE).getMaxValue() / 1e6).isCloseTo(200, within(1.0));
            assertThat(all.histogram(Timing.SERVICE).getMinValue()).isZero();
            assertThat(server.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"LIFO, '1, 5'", "FIFO, '3, 3'"})
    void thePolicySaysWhichFreeConnectionIsTaken(Policy policy, String used) throws Exception {
        List<AtomicInteger> counts = new CopyOnWriteArrayList<>();
        CyclicBarrier both = new CyclicBarrier(2);
        Script counting = peer -> {
            AtomicInteger count = new AtomicInteger();
            counts.add(count);
            peer.readRequest();
            count.incrementAndGet();
            both.await(20, TimeUnit.SECONDS);
            peer.write(Peer.OK);
            while (true) {
                peer.readRequest();
                count.incrementAndGet();
                peer.write(Peer.OK);
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(counting);
                Users users = Users.of(server.uri(), settings(pool(2, policy)))) {
            Thread other = new Thread(users::get);
            other.start();
            users.get();
            other.join();
            for (int i = 0; i < 4; i++) {
                users.get();
            }

            assertThat(counts.stream().map(AtomicInteger::get).sorted().toList())
                    .hasToString("[" + used + "]");
        }
    }

    /** Lax has no limit in all, so that only that of a host holds. */
    @ParameterizedTest
    @EnumSource(Concurrency.class)
    void limitsHoldAsTheConcurrencySays(Concurrency concurrency) throws Exception {
        ConnectionPool pool = new ConnectionPool(
                OptionalInt.of(2), OptionalInt.of(4), Policy.LIFO, concurrency, Optional.empty(), LONG, LONG);
        int connections = connectionsOf(pool);

        if (concurrency == Concurrency.LAX) {
            assertThat(connections).isBetween(3, 4);
        } else {
            assertThat(connections).isEqualTo(2);
        }
    }

    @Test
    void aHostHasALimitOfItsOwn() throws Exception {
        ConnectionPool pool = new ConnectionPool(
                OptionalInt.of(20), OptionalInt.of(3), Policy.LIFO, Concurrency.STRICT, Optional.empty(), LONG, LONG);

        assertThat(connectionsOf(pool)).isEqualTo(3);
    }

    @Test
    void eachUserMayHaveItsOwn() throws Exception {
        assertThat(connectionsOf(pool(1).perUser())).isEqualTo(12);
    }

    private static int connectionsOf(ConnectionPool pool) throws Exception {
        Script slow = peer -> {
            while (true) {
                peer.readRequest();
                peer.pause(Duration.ofMillis(30));
                peer.write(Peer.OK);
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(slow)) {
            Tally all = SharedRun.tally(server.uri(), 12, 5, settings(pool));

            assertThat(all.succeeded()).isEqualTo(60);
            assertThat(all.count(Timing.SET_UP)).isEqualTo(server.connections());
            return server.connections();
        }
    }

    /** Each is older than that when it is free again. */
    @Test
    void anOldConnectionIsNotUsedAgain() throws Exception {
        ConnectionPool pool = new ConnectionPool(
                OptionalInt.of(1),
                OptionalInt.empty(),
                Policy.LIFO,
                Concurrency.STRICT,
                Optional.of(Duration.ofMillis(1)),
                LONG,
                LONG);
        Script slow = peer -> {
            peer.readRequest();
            peer.pause(Duration.ofMillis(20));
            peer.write(Peer.OK);
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(slow)) {
            Tally all = SharedRun.tally(server.uri(), 1, 3, settings(pool));

            assertThat(all.succeeded()).isEqualTo(3);
            assertThat(server.connections()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @CsvSource({"10, true", "60000, false"})
    void aFreeConnectionIsCheckedAfterAWhile(long millis, boolean found) throws Exception {
        ConnectionPool pool = new ConnectionPool(
                OptionalInt.of(1),
                OptionalInt.empty(),
                Policy.LIFO,
                Concurrency.STRICT,
                Optional.empty(),
                Duration.ofMillis(millis),
                LONG);
        Script closes = peer -> {
            peer.readRequest();
            peer.write(Peer.OK);
        };
        try (MisbehavingServer server = MisbehavingServer.start(closes);
                Users users = Users.of(server.uri(), settings(pool))) {
            assertThat(users.get().outcome().cause().key()).isEqualTo("success");
            Thread.sleep(100);
            var second = users.get();

            assertThat(second.reconnected()).isEqualTo(found);
            assertThat(second.outcome().cause().key()).isEqualTo(found ? "success" : "reset before response");
        }
    }

    /** As long as the server says, and so long if it says nothing. */
    @ParameterizedTest
    @CsvSource({"'', 3", "Keep-Alive: timeout=60, 1"})
    void aConnectionIsNotKeptForLongerThanAsked(String header, int connections) throws Exception {
        ConnectionPool pool = new ConnectionPool(
                OptionalInt.of(1),
                OptionalInt.empty(),
                Policy.LIFO,
                Concurrency.STRICT,
                Optional.empty(),
                LONG,
                Duration.ofMillis(1));
        String answer = header.isEmpty() ? Peer.OK : Peer.OK.replace("\r\n\r\n", "\r\n" + header + "\r\n\r\n");
        Script script = peer -> {
            while (true) {
                peer.readRequest();
                peer.write(answer);
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(script);
                Users users = Users.of(server.uri(), settings(pool))) {
            for (int i = 0; i < 3; i++) {
                users.get();
                Thread.sleep(5);
            }

            assertThat(server.connections()).isEqualTo(connections);
        }
    }

    static ConnectionPool pool(int connections) {
        return ConnectionPool.DEFAULT.of(connections);
    }

    private static ConnectionPool pool(int connections, Policy policy) {
        return new ConnectionPool(
                OptionalInt.of(connections),
                OptionalInt.empty(),
                policy,
                Concurrency.STRICT,
                Optional.empty(),
                LONG,
                LONG);
    }

    static HttpClientSettings settings(ConnectionPool pool) {
        return HttpClientSettings.DEFAULT.with(pool);
    }
}
