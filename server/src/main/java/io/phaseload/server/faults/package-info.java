/**
 * Faults on purpose, for clients that are to find them: messages and events that are lost, repeated, swapped or
 * stalled, and connections that are cut. Messages and events pass through here only if a query requests a fault.
 */
package io.phaseload.server.faults;
