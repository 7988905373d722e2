package io.phaseload.host;

/**
 * What a client's pool of connections held at one moment.
 *
 * @param leased connections that a user had
 * @param available open connections that nobody had
 * @param pending users that waited for a connection
 */
public record PoolUse(int leased, int available, int pending) {}
