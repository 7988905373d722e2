/** Reads server-sent events as they come: WHATWG HTML §9.2, and what becomes of a stream. */
package io.phaseload.http.stream;
