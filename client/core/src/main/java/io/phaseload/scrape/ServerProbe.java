package io.phaseload.scrape;

import io.phaseload.measure.HostFigures;
import io.phaseload.plan.Target;
import io.phaseload.plan.metrics.ServerMetrics;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Asks a server for its figures. Not thread-safe. */
public final class ServerProbe {

    private final ServerMetrics metrics;
    private final String server;
    private final URI uri;
    private final Target target;
    private Reading last;

    private ServerProbe(ServerMetrics metrics, String server, Target target) {
        this.metrics = metrics;
        this.server = server;
        this.uri = target.resolve(metrics.page(server));
        this.target = target;
    }

    /**
     * One for each server; they don't ask yet.
     *
     * @param target of the run; its headers aren't sent, they may be secrets
     * @return in order
     */
    public static List<ServerProbe> of(ServerMetrics metrics, Target target) {
        return metrics.pages().keySet().stream()
                .map(server -> new ServerProbe(metrics, server, target))
                .toList();
    }

    /**
     * The server's name.
     *
     * @return empty if it has none
     */
    public String server() {
        return server;
    }

    /**
     * Reads once, to find out early whether it works.
     *
     * @throws IOException if no answer of the right kind comes
     */
    public Set<String> check() throws IOException {
        return ask().missing();
    }

    private Reading ask() throws IOException {
        return Reading.of(metrics.choices(), MetricsPage.fetch(uri, target));
    }

    /**
     * Reads once, so that the next rates are computed from now on.
     *
     * @throws IOException if there is no valid response
     */
    void begin() throws IOException {
        last = null;
        last = ask();
    }

    /**
     * Reads the figures.
     *
     * @return the figures, without missing ones and without rates of counters that went backwards
     * @throws IOException if there is no valid response
     */
    HostFigures read() throws IOException {
        Reading now = ask();
        Map<String, Double> figures = new HashMap<>();
        now.since(last == null ? now : last)
                .forEach((name, value) -> figures.put(ServerMetrics.name(server, name), value));
        last = now;
        return new HostFigures(figures);
    }
}
