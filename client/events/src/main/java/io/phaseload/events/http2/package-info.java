/**
 * HTTP/2 on the wire, independent of the rest of this module: frames (RFC 9113) and header fields (HPACK, RFC 7541).
 * {@link io.phaseload.events.http2.FrameReader} parses frames and passes them to a listener,
 * {@link io.phaseload.events.http2.FrameWriter} writes them; {@link io.phaseload.events.http2.HeaderBlockReader} and
 * {@link io.phaseload.events.http2.HeaderBlockWriter} do the same for the headers in them.
 *
 * <p>A reader or writer belongs to one connection and is used only by its loop's thread.
 */
package io.phaseload.events.http2;
