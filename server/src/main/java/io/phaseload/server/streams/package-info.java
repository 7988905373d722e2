/** Streams of events: their timing and their format. */
package io.phaseload.server.streams;
