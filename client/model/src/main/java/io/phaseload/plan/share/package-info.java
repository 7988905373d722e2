/** Shares without chance: the part of a plan that one of several clients runs, and turns by weight. */
@NullMarked
package io.phaseload.plan.share;

import org.jspecify.annotations.NullMarked;
