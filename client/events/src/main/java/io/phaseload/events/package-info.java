/**
 * The engine {@code events}: a few event loops, each with its own connections, users, records and share of the
 * schedule. {@link java.util.ServiceLoader} finds it; what it shares with other engines is in
 * {@link io.phaseload.engine.RunController} and {@link io.phaseload.user.VirtualUser}.
 *
 * <p>Reading order: {@link io.phaseload.events.EventEngine} has the loops, {@link io.phaseload.events.PhaseLoops} is
 * one phase on them, {@link io.phaseload.events.UserLoop} one loop's part of it, {@link io.phaseload.events.EventUser}
 * one user, and {@link io.phaseload.events.WaitingUsers} has those that wait. Then
 * {@link io.phaseload.events.connection}: how it is sent; {@link io.phaseload.events.shared}: how users share a
 * connection; {@link io.phaseload.events.http2}: HTTP/2 on the wire.
 *
 * <p>Other modules only use the engine. The coordinator's thread runs a phase; everything else happens in the thread of
 * one loop, and isn't shared with others.
 */
package io.phaseload.events;
