/** An event store on Raft for experiment 5, which measures its own inserts. Each peer has all events, in an MVStore. */
package io.phaseload.originals.eventstore;
