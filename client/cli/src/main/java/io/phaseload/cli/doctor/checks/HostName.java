package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Way;
import java.time.Duration;

/** Whether the target's name has addresses, and how fast they are found. */
public final class HostName {

    private static final Duration SLOW = Duration.ofMillis(100);

    private HostName() {}

    /** The JVM keeps an answer for 30 s. */
    public static Outcome judge(Planned planned, Way way) {
        String host = planned.plan().target().host();
        long millis = way.lookUp().toMillis();
        if (way.unknown().isPresent()) {
            return new Outcome.Fail(
                    "%s: %s (after %d ms)".formatted(host, way.unknown().get(), millis),
                    "no request can be sent",
                    "getent ahosts " + host + ", and look at /etc/resolv.conf");
        }
        if (way.attempts().get(0).address().getAddress().getHostAddress().equals(host)) {
            return new Outcome.Skip("the target is given by its address");
        }
        String found = "%s has %s, found in %d ms"
                .formatted(
                        host,
                        way.attempts().size() == 1
                                ? "1 address"
                                : way.attempts().size() + " addresses",
                        millis);
        return way.lookUp().compareTo(SLOW) < 0
                ? new Outcome.Ok(found, "users look it up when they connect")
                : new Outcome.Warn(
                        found,
                        "users look it up when they connect, every 30 s: the time is in their" + " connection set-up",
                        "time getent ahosts " + host + ", and look at /etc/resolv.conf");
    }
}
