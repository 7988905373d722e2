package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What ends an exchange from outside, and when it must not. */
class DeadlinesTest {

    private static final Outcome STOPPED = new Outcome.ClientFault("stopped in flight", "the run was stopped");

    @Test
    @Tag("contract")
    void aCompletedRequestIsLeftAlone() throws Exception {
        Script slow = peer -> {
            while (true) {
                peer.readRequest();
                peer.pause(Duration.ofMillis(50));
                peer.write(Peer.OK);
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(slow);
                OneUser user = OneUser.of(server.uri(), OneUser.LONG, Duration.ofSeconds(10))) {
            for (int i = 0; i < 5; i++) {
                Exchange exchange = user.get();

                assertThat(exchange.outcome()).isEqualTo(Outcome.SUCCESS);
                assertThat(exchange.endNanos() - exchange.sentNanos())
                        .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    /** The watching thread sleeps here: the limit holds whether or not it was there in time. */
    @Test
    void aLateRequestTimesOutEvenIfUnchecked() throws Exception {
        Script late = peer -> {
            while (true) {
                peer.readRequest();
                peer.pause(Duration.ofMillis(200));
                peer.write(Peer.OK);
            }
        };
        Duration limit = Duration.ofMillis(50);
        try (MisbehavingServer server = MisbehavingServer.start(late);
                Deadlines asleep = new Deadlines(OneUser.LONG.toNanos())) {
            Target target = new Target(server.uri(), List.of(), OneUser.LONG, limit, false);
            try (UserConnection connection = new UserConnection(new Connector(target), asleep)) {
                List<Exchange> exchanges = many(connection, new PreparedRequest(target, Operation.get("/")), 2);

                assertThat(exchanges).allMatch(exchange -> isWholeOrTimedOut(exchange, limit));
                assertThat(exchanges).extracting(Exchange::outcome).containsOnly(Outcome.NoResponse.READ_TIMEOUT);
                assertThat(server.connections()).isEqualTo(2);
            }
        }
    }

    /** The limit is an exchange's: a connection may live and lie idle for longer. */
    @Test
    @Tag("contract")
    void anIdleConnectionHasNoDeadline() throws Exception {
        Duration limit = Duration.ofMillis(500);
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE);
                OneUser user = OneUser.of(server.uri(), OneUser.LONG, limit)) {
            Exchange first = user.get();
            while (first.outcome() != Outcome.SUCCESS) {
                first = user.get();
            }
            int connections = server.connections();
            long idleUntil = System.nanoTime() + 2 * limit.toNanos();
            while (System.nanoTime() - idleUntil < 0) {
                LockSupport.parkNanos(idleUntil - System.nanoTime());
            }
            user.get();

            assertThat(server.connections()).isEqualTo(connections);
        }
    }

    @Test
    @Tag("contract")
    void aStopEndsTheWaitForAResponse() throws Exception {
        CountDownLatch inFlight = new CountDownLatch(1);
        Script neverAnswers = peer -> {
            peer.readRequest();
            inFlight.countDown();
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(neverAnswers);
                OneUser user = OneUser.of(server.uri())) {
            assertStopped(user, inFlight);
        }
    }

    @Test
    void aStopEndsAHandshake() throws Exception {
        CountDownLatch inFlight = new CountDownLatch(1);
        Script neverAnswers = peer -> {
            peer.awaitFirstByte();
            inFlight.countDown();
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(neverAnswers);
                OneUser user = OneUser.of(URI.create("https://127.0.0.1:" + server.port()))) {
            assertStopped(user, inFlight);
        }
    }

    @Test
    @Tag("contract")
    @EnabledOnOs(value = OS.LINUX, disabledReason = "others refuse when the queue is full")
    void aStopEndsAConnect() throws Exception {
        try (FullBacklog server = new FullBacklog(InetAddress.getByName("127.0.0.1"), 0);
                OneUser user = OneUser.of(URI.create("http://127.0.0.1:" + server.port()))) {
            assertStopped(user, new CountDownLatch(0));
        }
    }

    @Test
    @Tag("contract")
    void aStopAppliesToLaterRequestsToo() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.SAY_NOTHING);
                OneUser user = OneUser.of(server.uri())) {
            user.abandonAfter(0);

            assertThat(user.get().outcome()).isEqualTo(STOPPED);
            assertThat(user.get().outcome()).isEqualTo(STOPPED);
        }
    }

    @Test
    @Tag("contract")
    void aStopLeavesTimeForRequestsInFlight() throws Exception {
        Script slow = peer -> {
            peer.readRequest();
            peer.pause(Duration.ofMillis(100));
            peer.write(Peer.OK);
        };
        try (MisbehavingServer server = MisbehavingServer.start(slow);
                OneUser user = OneUser.of(server.uri())) {
            user.abandonAfter(Duration.ofSeconds(20).toNanos());

            assertThat(user.get().outcome()).isEqualTo(Outcome.SUCCESS);
        }
    }

    /**
     * Responses come within a hair of the limit, while several threads look for deadlines that have passed: every
     * exchange is either complete or timed out, and no deadline hits the next one.
     */
    @Test
    void aResponseAndItsDeadlineExcludeEachOther() throws Exception {
        Duration limit = Duration.ofMillis(5);
        Script aboutTheLimit = peer -> {
            while (true) {
                peer.readRequest();
                peer.pause(Duration.ofNanos(random(3_000_000, 5_500_000)));
                peer.write(Peer.OK);
            }
        };
        ExecutorService threads = Executors.newCachedThreadPool();
        List<UserConnection> connections = new CopyOnWriteArrayList<>();
        AtomicBoolean done = new AtomicBoolean();
        try (MisbehavingServer server = MisbehavingServer.start(aboutTheLimit);
                Deadlines deadlines = new Deadlines(limit.toNanos())) {
            Target target = new Target(server.uri(), List.of(), OneUser.LONG, limit, false);
            Connector connector = new Connector(target);
            PreparedRequest request = new PreparedRequest(target, Operation.get("/"));
            List<Future<List<Exchange>>> results = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                UserConnection connection = new UserConnection(connector, deadlines);
                connections.add(connection);
                results.add(threads.submit(() -> many(connection, request, 250)));
            }
            for (int i = 0; i < 4; i++) {
                threads.submit(() -> expireUntil(done, connections));
            }
            for (Future<List<Exchange>> result : results) {
                assertThat(result.get())
                        .filteredOn(exchange -> !isWholeOrTimedOut(exchange, limit))
                        .isEmpty();
            }
        } finally {
            done.set(true);
            threads.shutdownNow();
            connections.forEach(UserConnection::close);
        }
    }

    private static void expireUntil(AtomicBoolean done, List<UserConnection> connections) {
        while (!done.get()) {
            for (UserConnection connection : connections) {
                connection.deadline().expire(System.nanoTime(), false);
            }
        }
    }

    private static List<Exchange> many(UserConnection connection, PreparedRequest request, int count) {
        List<Exchange> exchanges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            exchanges.add((Exchange) connection.exchange(request));
        }
        return exchanges;
    }

    private static boolean isWholeOrTimedOut(Exchange exchange, Duration limit) {
        long serviceNanos = exchange.endNanos() - exchange.sentNanos();
        boolean whole = exchange.outcome() == Outcome.SUCCESS
                && serviceNanos <= limit.toNanos()
                && exchange.bytesReceived() == Peer.OK.length();
        boolean timedOut =
                exchange.outcome().equals(Outcome.NoResponse.READ_TIMEOUT) && serviceNanos == limit.toNanos();
        return (whole || timedOut) && !exchange.reconnected();
    }

    private static long random(long from, long to) {
        return ThreadLocalRandom.current().nextLong(from, to);
    }

    private static void assertStopped(OneUser user, CountDownLatch inFlight) throws Exception {
        Thread stop = new Thread(() -> {
            try {
                inFlight.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            user.abandonAfter(Duration.ofMillis(100).toNanos());
        });
        stop.start();
        Exchange stopped = user.get();
        stop.join();

        assertThat(stopped.outcome()).isEqualTo(STOPPED);
        assertThat(stopped.outcome().censored()).isFalse();
        assertThat(stopped.endNanos() - stopped.sentNanos())
                .isPositive()
                .isLessThan(Duration.ofSeconds(15).toNanos());
    }
}
