/**
 * Steps of journeys with a WebSocket: what is to be done now, and whoever does it. The protocol is
 * {@code phaseload-websocket}'s.
 */
package io.phaseload.http.socket;
