/**
 * What the target reports about itself while it is under load, asked once a second beside the load:
 * {@link io.phaseload.scrape.ServerWatch} is told how a run goes and gives each interval the
 * figures of its end, which {@link io.phaseload.scrape.ServerProbe} reads from the target's own
 * {@code /metrics.json} or from any page in Prometheus's text format.
 */
package io.phaseload.scrape;
