/** What CI systems show of runs and comparisons: thresholds and changes as test cases, in JUnit's XML. */
package io.phaseload.report.junit;
