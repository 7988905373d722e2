package io.phaseload.host;

/**
 * The state of a client's connection pool at one moment.
 *
 * @param leased connections that a user had
 * @param available open connections that nobody had
 * @param pending users that waited for a connection
 */
public record PoolUse(int leased, int available, int pending) {}
