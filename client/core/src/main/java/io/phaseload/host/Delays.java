package io.phaseload.host;

import java.util.Optional;

/**
 * How late a process was with what it had to do at a given time, as it measured itself.
 *
 * @param stalledNanos how long it stood still since some beginning
 * @param longestNanos the longest delay since the last sample
 * @param lateLoopNanos how late its latest event loop was since the beginning; empty if it has none
 */
public record Delays(long stalledNanos, long longestNanos, Optional<Long> lateLoopNanos) {}
