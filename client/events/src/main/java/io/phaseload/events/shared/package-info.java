/**
 * Connections that several users of a loop share. To its user, each is a
 * {@link io.phaseload.events.connection.LoopSender} like any other. {@link io.phaseload.events.shared.SharedConnection}
 * decides who waits and which session accepts requests; {@link io.phaseload.events.shared.SharedUser} takes care of one
 * request at a time.
 *
 * <p>A {@link io.phaseload.events.shared.SharedSession} is the protocol on one channel: a
 * {@link io.phaseload.events.shared.Pipeline}, or an {@link io.phaseload.events.shared.Http2Session}, whose frames are
 * in {@link io.phaseload.events.http2}. Everything is used only by the loop's thread.
 */
package io.phaseload.events.shared;
