/**
 * What happened to the client itself while it measured, so that a result can say when its numbers
 * can't be trusted. A {@link io.phaseload.health.HealthMeter} watches one phase; rules say what
 * speaks against its figures, each {@link io.phaseload.health.Reason} with what to do; a {@link
 * io.phaseload.health.Verdict} is all of them.
 */
package io.phaseload.health;
