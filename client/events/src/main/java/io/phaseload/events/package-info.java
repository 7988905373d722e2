/**
 * The engine {@code events}: a few event loops, each with its own connections, users, records and
 * share of the schedule. It is found by {@link java.util.ServiceLoader}; what it has in common with
 * other engines is in {@link io.phaseload.engine.RunController} and {@link
 * io.phaseload.user.VirtualUser}.
 *
 * <p>Reading order: {@link io.phaseload.events.EventEngine} has the loops, {@link
 * io.phaseload.events.PhaseLoops} is one phase on them, {@link io.phaseload.events.UserLoop} one
 * loop's part of it, {@link io.phaseload.events.EventUser} one user, and {@link
 * io.phaseload.events.WaitingUsers} has those whose time has not come. Then {@link
 * io.phaseload.events.connection}: how it is sent; {@link io.phaseload.events.shared}: how users
 * share a connection; {@link io.phaseload.events.http2}: what HTTP/2 looks like on the wire.
 *
 * <p>Only the engine is for others. The coordinator's thread runs a phase; all else happens in the
 * thread of one loop, and is shared with no other.
 */
package io.phaseload.events;
