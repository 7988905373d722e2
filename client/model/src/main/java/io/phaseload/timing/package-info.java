/**
 * The times that are measured. {@link io.phaseload.timing.Timing} has those of every request; each protocol has a class
 * of its own. They are in the model, since results are read and judged where the engine that measured them isn't.
 */
@NullMarked
package io.phaseload.timing;

import org.jspecify.annotations.NullMarked;
