/** What streams of events are like: their course in time, and how events are written. */
package io.phaseload.server.streams;
