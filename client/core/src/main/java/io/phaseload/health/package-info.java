/**
 * What happened to the client itself while it measured. A {@link io.phaseload.health.HealthMeter} watches one phase
 * from its own threads; the outcome is a {@link io.phaseload.health.ClientHealth}, which is immutable.
 * {@link io.phaseload.verdict} judges it.
 */
package io.phaseload.health;
