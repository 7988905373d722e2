/**
 * Static pictures of the tables of {@link io.phaseload.report}, for documents and for hosts without a browser. They
 * show the same as the Vega-Lite files of the same names. Only this package needs AWT and XChart.
 */
package io.phaseload.report.pictures;
