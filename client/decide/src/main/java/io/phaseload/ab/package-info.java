/**
 * Two targets, plans or builds against each other: an {@link io.phaseload.ab.AbComparison} is made of
 * {@link io.phaseload.ab.AbRun}s in {@link io.phaseload.ab.Blocks}, and an {@link io.phaseload.ab.Judgement} has the
 * effect on each {@link io.phaseload.ab.AbFigure}, with the same effect between A and A beside it. Immutable.
 * {@link io.phaseload.ab.AbJson} writes and reads it.
 */
@NullMarked
package io.phaseload.ab;

import org.jspecify.annotations.NullMarked;
