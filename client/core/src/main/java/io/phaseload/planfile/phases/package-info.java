/** The phases of a plan, each with its length and its load. */
@NullMarked
package io.phaseload.planfile.phases;

import org.jspecify.annotations.NullMarked;
