package io.phaseload.result.host;

import io.phaseload.measure.HostFigures;
import io.phaseload.measure.Interval;
import io.phaseload.run.RunListener;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up what was known of client and target in each interval of a run, by phase: of a run that is going, or of one
 * that is read back. Calls come one at a time.
 */
public final class HostUse implements RunListener {

    private final Map<String, FigureSums> client = new HashMap<>();
    private final Map<String, FigureSums> server = new HashMap<>();

    /** Of no interval yet. */
    public HostUse() {}

    /**
     * Of a run's intervals.
     *
     * @param intervals those that are wanted
     * @return the sums
     */
    public static HostUse of(List<Interval> intervals) {
        HostUse use = new HostUse();
        intervals.forEach(use::interval);
        return use;
    }

    @Override
    public void interval(Interval interval) {
        of(interval, client).add(interval.client());
        interval.server().ifPresent(figures -> of(interval, server).add(figures));
    }

    private static FigureSums of(Interval interval, Map<String, FigureSums> byPhase) {
        return byPhase.computeIfAbsent(interval.phase(), phase -> new FigureSums());
    }

    /**
     * The client's figures in a phase.
     *
     * @param phase its name
     * @param names the wanted figures
     * @return by name, without those that weren't known
     */
    public Map<String, Spread> client(String phase, List<String> names) {
        return client.getOrDefault(phase, new FigureSums()).spreads(names);
    }

    /**
     * The target's figures in a phase.
     *
     * @param phase its name
     * @param names the wanted figures
     * @return by name, without those that weren't known
     */
    public ServerUse server(String phase, List<String> names) {
        FigureSums sums = server.getOrDefault(phase, new FigureSums());
        return new ServerUse(sums.samples, sums.gaps, sums.spreads(names));
    }

    private static final class FigureSums {

        private final Map<String, DoubleSummaryStatistics> figures = new HashMap<>();
        private int samples;
        private int gaps;

        void add(HostFigures told) {
            if (told.isGap()) {
                gaps++;
            } else {
                samples++;
            }
            told.values().forEach((name, value) -> figures.computeIfAbsent(name, any -> new DoubleSummaryStatistics())
                    .accept(value));
        }

        Map<String, Spread> spreads(List<String> names) {
            Map<String, Spread> spreads = new LinkedHashMap<>();
            for (String name : names) {
                DoubleSummaryStatistics values = figures.get(name);
                if (values != null) {
                    spreads.put(name, new Spread(values.getAverage(), values.getMax()));
                }
            }
            return spreads;
        }
    }
}
