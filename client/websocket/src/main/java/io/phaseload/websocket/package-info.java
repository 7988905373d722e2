/**
 * The engine of messages over WebSocket. A user is a {@link io.phaseload.websocket.Pair}: one connection that sends,
 * and those that receive. An arrival is a message: it is sent when it is due, by the pair whose turn it is, and its
 * sample ends when all receivers have it, or it is known that one of them never will. So the response time of a message
 * is its delivery latency, from the intended send to the receipt.
 *
 * <p>{@link io.phaseload.websocket.MessageEngine} → {@link io.phaseload.websocket.MessagePhase} →
 * {@link io.phaseload.websocket.PairLoop}, one for each event loop, → pairs → {@link io.phaseload.websocket.Peer}, one
 * for each connection. {@link io.phaseload.websocket.MessageRecords} has what was sent and came back, without I/O;
 * {@link io.phaseload.websocket.Messages} is how messages look on the wire. A pair belongs to one loop, and so does all
 * that it does.
 */
package io.phaseload.websocket;
