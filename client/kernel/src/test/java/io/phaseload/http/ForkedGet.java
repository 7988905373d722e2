package io.phaseload.http;

import io.phaseload.measure.Exchange;
import java.net.URI;
import java.time.Duration;

/**
 * Runs in a JVM of its own, whose names come from a file: sends {@code GET} to each of its arguments and writes a line
 * of each outcome.
 */
final class ForkedGet {

    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(4);

    private ForkedGet() {}

    public static void main(String[] uris) {
        for (String uri : uris) {
            try (OneUser user = OneUser.of(URI.create(uri), CONNECT_TIMEOUT, OneUser.LONG)) {
                Exchange exchange = user.get();
                System.out.println(exchange.outcome().cause() + " " + exchange.setUpNanos());
            }
        }
    }
}
