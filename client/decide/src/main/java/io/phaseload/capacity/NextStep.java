package io.phaseload.capacity;

/**
 * The step to run next.
 *
 * @param purpose the reason for it
 * @param load requests a second, or users
 * @param agents the agents that send it; 0 if this JVM does
 * @param seconds its length
 */
public record NextStep(CapacityStep.Purpose purpose, double load, int agents, double seconds) {}
