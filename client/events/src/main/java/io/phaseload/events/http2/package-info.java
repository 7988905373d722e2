/**
 * HTTP/2 on the wire, and nothing else of this module: frames (RFC 9113) and header fields (HPACK,
 * RFC 7541). {@link io.phaseload.events.http2.FrameReader} takes frames out of bytes and tells a
 * listener of them, {@link io.phaseload.events.http2.FrameWriter} writes them; {@link
 * io.phaseload.events.http2.HeaderBlockReader} and {@link
 * io.phaseload.events.http2.HeaderBlockWriter} do so for the headers in them.
 *
 * <p>A reader or writer belongs to one connection and is used by its loop's thread alone.
 */
package io.phaseload.events.http2;
