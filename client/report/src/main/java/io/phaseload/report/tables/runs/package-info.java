/** The tables of several runs: comparisons, sweeps, searches and histories. */
package io.phaseload.report.tables.runs;
