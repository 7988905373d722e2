/**
 * Connections that several users of a loop share. To its user each is a {@link
 * io.phaseload.events.connection.Sender} like any other. {@link
 * io.phaseload.events.shared.SharedConnection} says who waits and which session takes requests;
 * {@link io.phaseload.events.shared.SharedUser} is one request at a time, whatever becomes of it.
 *
 * <p>A {@link io.phaseload.events.shared.Session} is the protocol on one channel: a {@link
 * io.phaseload.events.shared.Pipeline}, or an {@link io.phaseload.events.shared.Http2Session},
 * whose frames are in {@link io.phaseload.events.http2}. Everything is used by the loop's thread
 * alone.
 */
package io.phaseload.events.shared;
