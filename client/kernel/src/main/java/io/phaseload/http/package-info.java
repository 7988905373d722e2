/**
 * How a request is sent: one connection per user, HTTP/1.1 over a blocking socket, with TLS and timeouts. Whatever
 * happens becomes an {@link io.phaseload.measure.Outcome}. The engine calls it; it knows the plan, but no phases,
 * schedules or recording. {@code request} has the bytes to send, and {@code response} reads the answer.
 */
package io.phaseload.http;
