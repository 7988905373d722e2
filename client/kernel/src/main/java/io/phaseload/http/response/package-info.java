/**
 * How a response over HTTP/1.1 is read, byte by byte and without any I/O, so that threads and event loops read the
 * same. It knows no requests: who begins a response says what of it is kept.
 */
package io.phaseload.http.response;
