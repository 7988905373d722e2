package io.phaseload.health;

import java.time.Duration;

/**
 * A part of a run.
 *
 * @param from its start, since the run's start
 * @param to its end
 */
public record Span(Duration from, Duration to) {}
