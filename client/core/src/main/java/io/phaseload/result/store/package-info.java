/**
 * The folder of a run, the last step of the way: {@link io.phaseload.result.store.ResultFolder} writes it,
 * {@link io.phaseload.result.store.IntervalFiles} while the run goes on; {@link io.phaseload.result.store.StoredRun}
 * reads it, and {@link io.phaseload.result.store.MergedRun} merges several. Files belong to the thread that writes
 * them; what was read is immutable.
 */
@NullMarked
package io.phaseload.result.store;

import org.jspecify.annotations.NullMarked;
