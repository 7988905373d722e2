package io.phaseload.cli.doctor.facts;

import io.phaseload.health.HealthMeter;
import io.phaseload.host.HostFigure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How quiet the machine is while this process does next to nothing.
 *
 * @param figures by names of {@link HostFigure}; a figure that the system doesn't report is missing
 */
public record Quiet(Map<String, Double> figures) {

    private static final long LENGTH_NANOS = Duration.ofMillis(1_500).toNanos();
    private static final long NAP_NANOS = Duration.ofMillis(1).toNanos();

    /** Keeps the figures from being changed. */
    public Quiet {
        figures = Map.copyOf(figures);
    }

    /**
     * Measures for a second and a half, with a thread that wakes up a thousand times a second: its wait for a CPU is
     * what a user's would be.
     */
    public static Quiet measure() throws InterruptedException {
        // The meter knows the threads of users by such a name.
        Thread user = new Thread(Quiet::wakeOften, "phaseload-doctor");
        user.setDaemon(true);
        try (HealthMeter meter = new HealthMeter()) {
            meter.start();
            user.start();
            // Its start isn't measured.
            TimeUnit.NANOSECONDS.sleep(NAP_NANOS);
            meter.begin();
            TimeUnit.NANOSECONDS.sleep(LENGTH_NANOS);
            return new Quiet(meter.sinceLast(Optional.empty(), List.of(), Optional.empty()));
        } finally {
            user.interrupt();
        }
    }

    private static void wakeOften() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /** One of the figures. */
    public OptionalDouble get(HostFigure figure) {
        Double value = figures.get(figure.toString());
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
