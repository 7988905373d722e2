package io.phaseload.cli.doctor.checks;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether the environment asks for a proxy, which Phaseload doesn't use by itself. */
public final class ProxyVariables {

    private ProxyVariables() {}

    /**
     * Other programs on this machine may take another way to the target than the plan's users.
     *
     * @param environment of the process, whose variables may be in capitals
     * @param here whether the target is on this host, which proxies don't matter to
     */
    public static Outcome judge(Planned planned, Map<String, String> environment, boolean here) {
        String scheme = planned.plan().target().tls() ? "https" : "http";
        Optional<String> variable = Stream.of(scheme + "_proxy", "all_proxy")
                .flatMap(name -> Stream.of(name, name.toUpperCase(Locale.ROOT)))
                .filter(name -> !environment.getOrDefault(name, "").isBlank())
                .findFirst();
        if (planned.byProxy()) {
            return new Outcome.Ok("the plan has a proxy", "requests go by way of it, whatever the environment says");
        }
        if (variable.isEmpty()) {
            return new Outcome.Ok("no proxy variable is set for " + scheme, "requests go directly");
        }
        String found = variable.get() + "=" + withoutUser(environment.get(variable.get()));
        if (here || isExcluded(planned.plan().target().host(), environment)) {
            return new Outcome.Ok(found, "it doesn't apply to this target: requests go directly");
        }
        return new Outcome.Warn(
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
}
