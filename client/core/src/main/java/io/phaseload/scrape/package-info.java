/**
 * Reads what the target reports about itself under load, once a second: {@link io.phaseload.scrape.ServerWatch} listens
 * to a run and adds figures to each interval, which {@link io.phaseload.scrape.ServerProbe} reads from the target's own
 * {@code /metrics.json} or from any page in Prometheus text format.
 */
package io.phaseload.scrape;
