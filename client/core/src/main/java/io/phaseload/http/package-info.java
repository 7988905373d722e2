/**
 * How a request is sent: one connection a user, HTTP/1.1 over a blocking socket, with TLS and
 * timeouts, so that whatever happens becomes an {@link io.phaseload.measure.Outcome}. The engine
 * calls it; it knows the plan and nothing of phases, schedules or recording.
 */
package io.phaseload.http;
