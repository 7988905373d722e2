/** The servers' own figures that a run reads: their pages, and the series in them. */
@NullMarked
package io.phaseload.plan.metrics;

import org.jspecify.annotations.NullMarked;
