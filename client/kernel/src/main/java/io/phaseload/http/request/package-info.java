/**
 * Requests as bytes, made once a run, once a signature or for each session, and the evaluation of their responses:
 * {@link io.phaseload.http.request.RequestSource} has the request to send now, and
 * {@link io.phaseload.http.request.PreparedRequest} judges what came back. It knows no connections.
 */
package io.phaseload.http.request;
