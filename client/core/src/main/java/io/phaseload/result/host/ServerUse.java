package io.phaseload.result.host;

import java.util.Map;

/**
 * The target's own figures in one phase.
 *
 * @param samples the number of readings
 * @param gaps the number of readings that failed or came late
 * @param figures by name, without those that it never reported
 */
public record ServerUse(int samples, int gaps, Map<String, Spread> figures) {}
