package io.phaseload.scrape;

import io.phaseload.measure.HostFigures;
import io.phaseload.plan.ServerMetrics;
import io.phaseload.plan.Target;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Asks a target for its figures. Not thread-safe. */
public final class ServerProbe {

    private final ServerMetrics metrics;
    private final URI uri;
    private final Target target;
    private final Set<String> rates;
    private Reading last;

    /**
     * Creates a probe; it doesn't ask yet.
     *
     * @param metrics where to ask, and for what
     * @param target the one that is asked; its headers aren't sent, they may be secrets
     */
    public ServerProbe(ServerMetrics metrics, Target target) {
        this.metrics = metrics;
        this.uri = metrics.of(target);
        this.target = target;
        this.rates = Reading.rates(metrics);
    }

    /**
     * Asks once, to know whether it makes sense to go on asking.
     *
     * @throws IOException if no answer of the right kind comes, or a chosen metric isn't in it
     */
    public void check() throws IOException {
        begin();
        for (Map.Entry<String, ServerMetrics.Choice> choice : metrics.choices().entrySet()) {
            if (!last.values().containsKey(choice.getKey())) {
                throw new IOException("it has no metric " + choice.getValue().series());
            }
        }
    }

    /**
     * Asks once, so that the next rates are those since now.
     *
     * @throws IOException if no answer of the right kind comes
     */
    void begin() throws IOException {
        last = null;
        last = Reading.of(metrics, Page.fetch(uri, target));
    }

    /**
     * Asks.
     *
     * @return figures; those that weren't there, and rates of counters that went backwards, are
     *     missing
     * @throws IOException if no answer of the right kind comes
     */
    HostFigures read() throws IOException {
        Reading now = Reading.of(metrics, Page.fetch(uri, target));
        Map<String, Double> figures = new HashMap<>(now.values());
        figures.replaceAll((name, value) -> rates.contains(name) ? rate(name, now) : value);
        figures.values().removeIf(value -> !Double.isFinite(value));
        last = now;
        return new HostFigures(figures);
    }

    private double rate(String name, Reading now) {
        Double before = last == null ? null : last.values().get(name);
        if (before == null) {
            return Double.NaN;
        }
        double increase = now.values().get(name) - before;
        double seconds = now.seconds() - last.seconds();
        // Either goes backwards when the server has been restarted.
        return increase < 0 || seconds <= 0 ? Double.NaN : increase / seconds;
    }
}
