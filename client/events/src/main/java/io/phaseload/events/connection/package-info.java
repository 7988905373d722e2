/**
 * How a user of an event loop sends: it only knows its {@link io.phaseload.events.connection.LoopSender}.
 * {@link io.phaseload.events.connection.LoopContext} is what the connections of one loop share;
 * {@link io.phaseload.events.connection.ConnectAttempt} makes a connection,
 * {@link io.phaseload.events.connection.LoopConnection} sends one user's requests over it, and
 * {@link io.phaseload.http.response.ResponseParser} reads the response; {@link io.phaseload.events.connection.InFlight}
 * has the state of a request.
 *
 * <p>Everything belongs to one loop and is used only by its thread, except for requests, the resolver, and TLS, which
 * all loops share.
 */
package io.phaseload.events.connection;
