/**
 * Steps of journeys with a WebSocket. A {@link io.phaseload.websocket.steps.LoopSocket} is a user's, on an event loop;
 * {@link io.phaseload.websocket.steps.Handshake} is how it is opened, and {@link io.phaseload.websocket.steps.Inbox}
 * has the messages that no step has looked at.
 */
package io.phaseload.websocket.steps;
