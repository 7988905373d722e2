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
 *
 * <p>Where users share a connection, it is a {@link io.phaseload.events.PipelinedConnection} or,
 * over HTTP/2, a {@link io.phaseload.events.Http2Connection}. {@link
 * io.phaseload.events.Http2Session} is that protocol, {@link io.phaseload.events.FrameReader} and
 * {@link io.phaseload.events.FrameWriter} its frames, {@link io.phaseload.events.HeaderBlockReader}
 * and {@link io.phaseload.events.Http2Encoding} the headers in them, and {@link
 * io.phaseload.events.Http2Response} is what {@code ResponseParser} is elsewhere.
 */
package io.phaseload.events;
