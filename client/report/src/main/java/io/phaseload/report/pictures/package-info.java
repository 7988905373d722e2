/**
 * Static pictures of the tables of {@link io.phaseload.report}, for documents and for hosts without
 * a browser. What they show is what the Vega-Lite files of the same names show; AWT and XChart are
 * needed here and nowhere else.
 */
package io.phaseload.report.pictures;
