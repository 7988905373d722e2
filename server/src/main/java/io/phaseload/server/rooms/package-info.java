/**
 * Rooms: what the target does with WebSocket messages.
 *
 * <p>A client opens {@code ws://HOST/rooms/{id}}, and is in that room until its connection ends. Its messages go to the
 * others in the room ({@code mode=relay}, the default), to itself ({@code mode=echo}) or to all
 * ({@code mode=broadcast}). {@link io.phaseload.server.rooms.RoomOptions} has what else the query may ask for.
 * {@link io.phaseload.server.rooms.MessageCounts} say what became of each message.
 */
package io.phaseload.server.rooms;
