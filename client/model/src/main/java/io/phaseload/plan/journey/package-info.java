/**
 * The parts of a scenario's steps: texts with values in braces, where the values come from (data files, responses), and
 * conditions. Immutable values, of the first step of the way; {@link io.phaseload.plan.Scenario} is made of them.
 */
@NullMarked
package io.phaseload.plan.journey;

import org.jspecify.annotations.NullMarked;
