/** The change of a long run's figures over time: which of them grow, and when one runs out. */
@NullMarked
package io.phaseload.soak;

import org.jspecify.annotations.NullMarked;
