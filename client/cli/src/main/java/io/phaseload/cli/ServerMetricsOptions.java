package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.plan.ServerMetrics;
import io.phaseload.plan.ServerMetrics.Choice;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** From {@code --server-metrics} and {@code --server-metric} to a plan's part. */
record ServerMetricsOptions(RunOptions options) {

    Optional<ServerMetrics> read() throws UsageException {
        String address = options.serverMetricsAddress;
        Map<String, Choice> choices = choices();
        if (address != null) {
            return Optional.of(
                    Checked.value(
                            "--server-metrics",
                            RunPlan.withoutUserInfo(address),
                            shown -> new ServerMetrics(URI.create(address), choices),
                            "http://host[:port]/path, https://…, or a path from / on"));
        }
        if (!choices.isEmpty()) {
            throw new UsageException(
                    "--server-metric %s: expected --server-metrics beside it"
                            .formatted(options.serverMetrics.get(0)));
        }
        return Optional.empty();
    }

    private Map<String, Choice> choices() throws UsageException {
        Map<String, Choice> choices = new LinkedHashMap<>();
        for (String given : options.serverMetrics) {
            int equals = given.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--server-metric " + given + ": expected name=metric");
            }
            String name = given.substring(0, equals);
            Choice choice =
                    Checked.value(
                            "--server-metric",
                            given,
                            shown -> choice(name, given.substring(equals + 1)),
                            "name=metric");
            if (choices.put(name, choice) != null) {
                throw new UsageException(
                        "--server-metric %s: expected another name than %s".formatted(given, name));
            }
        }
        return choices;
    }

    /** Has the name checked, too, so that what is wrong with it is said of this option. */
    private static Choice choice(String name, String metric) {
        Choice choice = Choice.parse(metric);
        return new ServerMetrics(URI.create("/"), Map.of(name, choice)).choices().get(name);
    }
}
