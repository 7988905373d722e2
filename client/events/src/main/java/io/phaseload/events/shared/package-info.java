/**
 * Connections that several users of a loop share: pipelined ones ({@link
 * io.phaseload.events.shared.PipelinedConnection}), and those of HTTP/2 ({@link
 * io.phaseload.events.shared.Http2Connection}). To its user each is a {@link
 * io.phaseload.events.connection.Sender} like any other.
 *
 * <p>{@link io.phaseload.events.shared.Http2Session} is the protocol on one connection; its frames
 * are in {@link io.phaseload.events.http2}. Everything is used by the loop's thread alone.
 */
package io.phaseload.events.shared;
