/**
 * When to send: the intended starts of requests, as pure sequences of nanosecond offsets from a phase's start. No clock
 * and no thread: senders compare the offsets with their own clock.
 *
 * <p>A {@link io.phaseload.schedule.Schedule} is an immutable description; each call of its {@code offsets()} starts
 * the same sequence again. The sequences themselves belong to one thread at a time.
 */
@NullMarked
package io.phaseload.schedule;

import org.jspecify.annotations.NullMarked;
