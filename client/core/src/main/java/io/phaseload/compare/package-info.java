/**
 * The changes between runs: a {@link io.phaseload.compare.Side} is one run, or several as trials of the same thing, and
 * a {@link io.phaseload.compare.Comparison} has the effect on each {@link io.phaseload.compare.Figure}, with an
 * interval and a word. Immutable. {@link io.phaseload.compare.ComparisonJson} writes it as JSON.
 */
@NullMarked
package io.phaseload.compare;

import org.jspecify.annotations.NullMarked;
