package io.phaseload.measure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The requests that ended in one interval of a phase, about a second long. A request belongs to the interval in which
 * it ended.
 *
 * @param phase the phase's name
 * @param start the interval's start, since the run's start
 * @param length the time that it lasted
 * @param operations one per operation of the scenario, in order; not to be changed
 * @param journeys one per journey, then one per group of steps, which are no requests; not to be changed
 * @param client figures of the client and its machine in it; a gap if that isn't known
 * @param server the target's own figures at its end; empty if they weren't read
 */
public record Interval(
        String phase,
        Duration start,
        Duration length,
        List<Tally> operations,
        List<Tally> journeys,
        HostFigures client,
        Optional<HostFigures> server) {

    /**
     * An interval of which only its requests are known.
     *
     * @param phase the phase's name
     * @param start the interval's start, since the run's start
     * @param length the time that it lasted
     * @param operations one per operation of the scenario, in order; not to be changed
     */
    public Interval(String phase, Duration start, Duration length, List<Tally> operations) {
        this(phase, start, length, operations, List.of(), HostFigures.GAP, Optional.empty());
    }

    /**
     * This interval with what became of the client.
     *
     * @param figures in it
     * @return a copy
     */
    public Interval withClient(HostFigures figures) {
        return new Interval(phase, start, length, operations, journeys, figures, server);
    }

    /**
     * This interval with figures of the target.
     *
     * @param figures the figures at its end
     * @return a copy
     */
    public Interval withServer(HostFigures figures) {
        return new Interval(phase, start, length, operations, journeys, client, Optional.of(figures));
    }

    /**
     * This interval as that of one of several clients.
     *
     * @param name the client's
     * @param ahead by how much its clock was ahead of the one that counts
     * @return a copy that says so of the requests that are kept
     */
    public Interval from(String name, Duration ahead) {
        return new Interval(
                phase,
                start,
                length,
                operations.stream().map(of -> of.from(name, ahead)).toList(),
                journeys,
                client,
                server);
    }

    /**
     * This interval as a part of another run.
     *
     * @param earlier by how much that run began earlier
     * @return a copy
     */
    public Interval later(Duration earlier) {
        return new Interval(phase, start.plus(earlier), length, operations, journeys, client, server);
    }
}
