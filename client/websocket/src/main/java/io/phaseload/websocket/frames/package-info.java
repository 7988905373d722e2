/**
 * Frames of a WebSocket on a Netty channel, for the engine of messages and for steps of journeys:
 * {@link io.phaseload.websocket.frames.UpgradeResponse} opens it, and
 * {@link io.phaseload.websocket.frames.FrameReaders} makes messages of its frames.
 */
package io.phaseload.websocket.frames;
