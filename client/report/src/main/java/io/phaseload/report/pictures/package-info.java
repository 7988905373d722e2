/**
 * Charts drawn as SVG from the tables of {@link io.phaseload.report}: the first charts of pages, and files for
 * documents and for hosts without a browser. They show the same as the Vega-Lite files of the same names.
 */
package io.phaseload.report.pictures;
