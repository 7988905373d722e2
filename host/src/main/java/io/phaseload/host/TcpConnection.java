package io.phaseload.host;

/**
 * A connection as the system's TCP sees it, see TCP_INFO in tcp(7).
 *
 * @param rttMicros the smoothed time until a segment is acknowledged
 * @param retransmits segments that were sent again since it was made
 * @param windowSegments the congestion window, in segments
 */
public record TcpConnection(long rttMicros, long retransmits, long windowSegments) {}
