/**
 * How a user of an event loop sends: a {@link io.phaseload.events.connection.Sender} is all that it
 * knows. {@link io.phaseload.events.connection.LoopContext} is what the connections of one loop
 * have in common; {@link io.phaseload.events.connection.ConnectAttempt} makes a connection, {@link
 * io.phaseload.events.connection.LoopConnection} sends one user's requests over it, and {@link
 * io.phaseload.http.ResponseParser} reads the response; what came of one is in {@link
 * io.phaseload.events.connection.InFlight}.
 *
 * <p>Everything belongs to one loop and is used by its thread alone, except for requests, the
 * resolver, and TLS, which all loops share.
 */
package io.phaseload.events.connection;
