/**
 * The recording of a phase: a {@link io.phaseload.measure.recording.Recorder} has the tallies of all its requests, and
 * a sample of them one by one.
 */
@NullMarked
package io.phaseload.measure.recording;

import org.jspecify.annotations.NullMarked;
