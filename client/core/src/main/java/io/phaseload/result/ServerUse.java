package io.phaseload.result;

import java.util.Map;

/**
 * What the target reported about itself in one phase.
 *
 * @param samples how often it answered
 * @param gaps how often it was asked and didn't, or not in time
 * @param figures by name; one that it never reported is missing
 */
public record ServerUse(int samples, int gaps, Map<String, Spread> figures) {}
