/**
 * The folder that a run is kept in, the last step of the way: {@link
 * io.phaseload.result.store.ResultFolder} writes it, {@link
 * io.phaseload.result.store.IntervalFiles} while the run goes on; {@link
 * io.phaseload.result.store.StoredRun} reads it back and makes a result of its intervals again,
 * {@link io.phaseload.result.store.MergedRun} one of several. Files that are being written belong
 * to one thread; what is read is immutable.
 */
@NullMarked
package io.phaseload.result.store;

import org.jspecify.annotations.NullMarked;
