package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import java.time.Duration;
import java.util.stream.Stream;

/** Meets a script with a new connection, and sees to it that the failure is over with that. */
final class FirstExchange {

    private FirstExchange() {}

    /**
     * Sends one request to a script that breaks it, and one more, which must go over a connection of its own and
     * succeed.
     *
     * @return the first exchange
     */
    static Exchange brokenBy(Script script) throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(script, Script.BEHAVE);
                OneUser user = OneUser.of(server.uri())) {
            Exchange broken = user.get();
            Exchange next = user.get();

            assertThat(next.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(next.setUpNanos()).isPositive();
            assertThat(next.reconnected()).isFalse();
            assertThat(server.connections()).isEqualTo(2);
            assertThat(broken.setUpNanos()).isPositive();
            assertThat(broken.reconnected()).isFalse();
            assertThat(broken.endNanos() - broken.sentNanos()).isPositive().isLessThan(OneUser.LONG.toNanos());
            return broken;
        }
    }

    /**
     * Sends one request to a script that must run into a limit on the complete response, and more until one succeeds:
     * on a busy machine a good server may be too late for a short limit, too.
     *
     * @return the first exchange
     */
    static Exchange timedOutBy(Script script, Duration limit) throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(script, Script.BEHAVE);
                OneUser user = OneUser.of(server.uri(), OneUser.LONG, limit)) {
            long before = System.nanoTime();
            Exchange timedOut = user.get();
            long wall = System.nanoTime() - before;

            assertThat(timedOut.outcome()).isEqualTo(Outcome.NoResponse.READ_TIMEOUT);
            assertThat(timedOut.outcome().censored()).isTrue();
            assertThat(timedOut.endNanos() - timedOut.sentNanos()).isEqualTo(limit.toNanos());
            assertThat(wall)
                    .isGreaterThanOrEqualTo(limit.toNanos())
                    .isLessThan(Duration.ofSeconds(5).toNanos());
            assertThat(Stream.generate(user::get).limit(20))
                    .extracting(Exchange::outcome)
                    .contains(Outcome.SUCCESS);
            assertThat(server.connections()).isGreaterThanOrEqualTo(2);
            return timedOut;
        }
    }
}
