/**
 * The figures of a run while it goes on, for systems that watch it: OpenTelemetry receives them
 * ({@link io.phaseload.metrics.OtlpOutput}), Prometheus reads them ({@link io.phaseload.metrics.PrometheusOutput}).
 * Both have the same names and labels.
 */
@NullMarked
package io.phaseload.metrics;

import org.jspecify.annotations.NullMarked;
