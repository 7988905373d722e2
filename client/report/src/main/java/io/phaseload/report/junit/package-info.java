/** Runs and comparisons for CI systems: thresholds and changes as test cases, in JUnit's XML. */
package io.phaseload.report.junit;
