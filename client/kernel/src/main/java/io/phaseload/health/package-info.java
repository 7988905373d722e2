/**
 * Events of the client itself during the measurement. A {@link io.phaseload.health.HealthMeter} watches one phase from
 * its own threads; the outcome is a {@link io.phaseload.health.ClientHealth}, which is immutable.
 * {@code io.phaseload.verdict} judges it.
 */
package io.phaseload.health;
