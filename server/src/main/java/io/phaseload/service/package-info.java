/**
 * What the targets do, apart from how requests reach them: the servlets of {@code
 * io.phaseload.server} and the Lambda handler both hand their requests to a {@link
 * io.phaseload.service.TargetService}, as a {@link io.phaseload.service.Request}, and send its
 * {@link io.phaseload.service.Answer}.
 *
 * <p>This package knows neither of them, and needs nothing but a JSON streaming library, so that
 * what is deployed on Lambda stays small.
 */
package io.phaseload.service;
