package io.phaseload.run;

/**
 * The load of the phase that runs.
 *
 * @param phase its name
 * @param open true if it has a rate, false if its users send as soon as they may
 * @param level the rate or the number of users, such as {@code 100/s} or {@code 20}
 * @param paused true if no request is due
 */
public record LoadState(String phase, boolean open, String level, boolean paused) {}
