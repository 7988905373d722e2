package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.TargetReachability;
import io.phaseload.cli.doctor.facts.TargetReachability.Attempt;
import java.net.Inet6Address;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The way from the client to the target's addresses. */
public final class AddressChecks {

    private static final Duration SLOW_LOOK_UP = Duration.ofMillis(100);

    private AddressChecks() {}

    /**
     * Variables that ask for a proxy, which Phaseload doesn't use by itself. Other programs on this machine may take
     * another way to the target than the plan's users.
     *
     * @param environment of the process, whose variables may be in capitals
     * @param here true if the target is on this host, which proxies don't matter to
     */
    public static CheckOutcome proxyVariables(Planned planned, Map<String, String> environment, boolean here) {
        String scheme = planned.plan().target().tls() ? "https" : "http";
        Optional<String> variable = Stream.of(scheme + "_proxy", "all_proxy")
                .flatMap(name -> Stream.of(name, name.toUpperCase(Locale.ROOT)))
                .filter(name -> !environment.getOrDefault(name, "").isBlank())
                .findFirst();
        if (planned.byProxy()) {
            return new CheckOutcome.Ok(
                    "the plan has a proxy", "requests go by way of it, whatever the environment says");
        }
        if (variable.isEmpty()) {
            return new CheckOutcome.Ok("no proxy variable is set for " + scheme, "requests go directly");
        }
        String found = variable.get() + "=" + withoutUser(environment.get(variable.get()));
        if (here || isExcluded(planned.plan().target().host(), environment)) {
            return new CheckOutcome.Ok(found, "it doesn't apply to this target: requests go directly");
        }
        return new CheckOutcome.Warn(
                found,
                "Phaseload ignores it: requests go directly to %s, which may take another way, or none"
                        .formatted(planned.plan().target().host()),
                "--proxy http://HOST:PORT, or unset " + variable.get());
    }

    private static boolean isExcluded(String host, Map<String, String> environment) {
        String all = environment.getOrDefault("no_proxy", environment.getOrDefault("NO_PROXY", ""));
        return List.of(all.split(",")).stream()
                .map(name -> name.strip().toLowerCase(Locale.ROOT).replaceFirst("^\\*?\\.", ""))
                .filter(name -> !name.isEmpty())
                .anyMatch(name -> name.equals("*")
                        || host.equalsIgnoreCase(name)
                        || host.toLowerCase(Locale.ROOT).endsWith("." + name));
    }

    private static String withoutUser(String address) {
        return address.replaceFirst("^([a-z0-9+]+://)?[^/]*@", "$1");
    }

    /** The addresses of the target's name, and how fast they are found. The JVM keeps an answer for 30 s. */
    public static CheckOutcome hostName(Planned planned, TargetReachability way) {
        String host = planned.plan().target().host();
        long millis = way.lookUp().toMillis();
        if (way.unknown().isPresent()) {
            return new CheckOutcome.Fail(
                    "%s: %s (after %d ms)".formatted(host, way.unknown().get(), millis),
                    "no request can be sent",
                    "getent ahosts " + host + ", and look at /etc/resolv.conf");
        }
        if (way.attempts().get(0).address().getAddress().getHostAddress().equals(host)) {
            return new CheckOutcome.Skip("the target is given by its address");
        }
        String found = "%s has %s, found in %d ms"
                .formatted(
                        host,
                        way.attempts().size() == 1
                                ? "1 address"
                                : way.attempts().size() + " addresses",
                        millis);
        return way.lookUp().compareTo(SLOW_LOOK_UP) < 0
                ? new CheckOutcome.Ok(found, "users look it up when they connect")
                : new CheckOutcome.Warn(
                        found,
                        "users look it up when they connect, every 30 s: the time is in their" + " connection set-up",
                        "time getent ahosts " + host + ", and look at /etc/resolv.conf");
    }

    /**
     * Connections to each of the target's addresses, IPv6 among them. Users take the addresses in their order, and go
     * on to the next one when one fails.
     */
    public static CheckOutcome addresses(Planned planned, TargetReachability way) {
        if (way.attempts().isEmpty()) {
            return new CheckOutcome.Skip("the target has no address");
        }
        List<Attempt> failed = way.attempts().stream()
                .filter(attempt -> attempt.failure().isPresent())
                .toList();
        int port = planned.plan().target().port();
        if (failed.isEmpty()) {
            return new CheckOutcome.Ok(
                    "port %d took a connection at %s".formatted(port, texts(way.attempts())),
                    way.attempts().stream().anyMatch(AddressChecks::isVersion6)
                            ? "IPv6 included"
                            : "the target has no IPv6 address");
        }
        String found = "port %d took no connection at %s".formatted(port, texts(failed));
        if (failed.size() == way.attempts().size()) {
            return new CheckOutcome.Fail(
                    found,
                    "no request can be sent",
                    "start the target, or look at its address, port and firewall: curl -v "
                            + planned.plan().target().uri().resolve("/"));
        }
        boolean version6 = failed.stream().allMatch(AddressChecks::isVersion6);
        return new CheckOutcome.Warn(
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
        return attempts.stream().map(AddressChecks::text).collect(Collectors.joining(", "));
    }

    private static String text(Attempt attempt) {
        double millis = attempt.time().toNanos() / 1e6;
        return attempt.address().getAddress().getHostAddress()
                + " ("
                + attempt.failure().orElse(NumberText.of("%.1f ms", millis))
                + ")";
    }
}
