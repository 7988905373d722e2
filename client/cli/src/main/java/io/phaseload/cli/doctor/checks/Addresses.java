package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Way;
import io.phaseload.cli.doctor.facts.Way.Attempt;
import java.net.Inet6Address;
import java.util.List;
import java.util.stream.Collectors;

/** Whether the target takes connections at each of its addresses, IPv6 among them. */
public final class Addresses {

    private Addresses() {}

    /** Users take the addresses in their order, and go on to the next one when one fails. */
    public static Outcome judge(Planned planned, Way way) {
        if (way.attempts().isEmpty()) {
            return new Outcome.Skip("the target has no address");
        }
        List<Attempt> failed = way.attempts().stream()
                .filter(attempt -> attempt.failure().isPresent())
                .toList();
        int port = planned.plan().target().port();
        if (failed.isEmpty()) {
            return new Outcome.Ok(
                    "port %d took a connection at %s".formatted(port, texts(way.attempts())),
                    way.attempts().stream().anyMatch(Addresses::isVersion6)
                            ? "IPv6 included"
                            : "the target has no IPv6 address");
        }
        String found = "port %d took no connection at %s".formatted(port, texts(failed));
        if (failed.size() == way.attempts().size()) {
            return new Outcome.Fail(
                    found,
                    "no request can be sent",
                    "start the target, or look at its address, port and firewall: curl -v "
                            + planned.plan().target().uri().resolve("/"));
        }
        boolean version6 = failed.stream().allMatch(Addresses::isVersion6);
        return new Outcome.Warn(
                found,
                "each new connection tries it first or second, which takes time, and all load goes to" + " the others",
                version6
                        ? "PHASELOAD_JAVA_OPTS=-Djava.net.preferIPv4Stack=true, or a route for IPv6"
                        : "take the address out of DNS, or let the target listen there");
    }

    private static boolean isVersion6(Attempt attempt) {
        return attempt.address().getAddress() instanceof Inet6Address;
    }

    private static String texts(List<Attempt> attempts) {
        return attempts.stream().map(Addresses::text).collect(Collectors.joining(", "));
    }

    private static String text(Attempt attempt) {
        double millis = attempt.time().toNanos() / 1e6;
        return attempt.address().getAddress().getHostAddress()
                + " ("
                + attempt.failure().orElse(Text.of("%.1f ms", millis))
                + ")";
    }
}
