/**
 * How a user of an event loop sends requests whose responses are streams of events: over a
 * {@link io.phaseload.events.connection.LoopConnection}, once more if a stream ends early. Owned by its loop's thread.
 */
package io.phaseload.events.stream;
