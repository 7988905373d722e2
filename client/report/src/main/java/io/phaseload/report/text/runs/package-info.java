/**
 * Several runs as text for a terminal and as Markdown for a pull request: comparisons, sweeps, searches and histories.
 */
package io.phaseload.report.text.runs;
