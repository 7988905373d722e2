/**
 * The target's answers: a servlet for each path, with what they count and measure.
 * {@link io.phaseload.server.TargetInitializer} registers them.
 */
package io.phaseload.server.endpoints;
