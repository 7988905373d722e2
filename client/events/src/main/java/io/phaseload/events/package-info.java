/**
 * The engine {@code events}: a few event loops, each with its own connections, users, records and
 * share of the schedule. It is found by {@link java.util.ServiceLoader}; what it has in common with
 * other engines is in {@link io.phaseload.engine.RunCourse} and {@link
 * io.phaseload.engine.PhaseCourse}.
 *
 * <p>Reading order: {@link io.phaseload.events.EventEngine} has the loops, {@link
 * io.phaseload.events.PhaseLoops} is one phase on them, {@link io.phaseload.events.UserLoop} one
 * loop's part of it; {@link io.phaseload.events.ClosedUser} and {@link
 * io.phaseload.events.OpenUsers} say what is sent when; {@link io.phaseload.events.Opening} makes a
 * connection, {@link io.phaseload.events.LoopConnection} sends over it, and {@link
 * io.phaseload.http.ResponseParser} reads the response; what came of one is in {@link
 * io.phaseload.events.InFlight}.
 */
package io.phaseload.events;
