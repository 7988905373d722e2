/**
 * The behaviour of the targets, independent of the transport: the servlets of {@code io.phaseload.server} and the
 * Lambda handler both pass their requests to a {@link io.phaseload.service.TargetService}, as a
 * {@link io.phaseload.service.ServiceRequest}, and return its {@link io.phaseload.service.ServiceResponse}.
 *
 * <p>This package knows neither of them, and needs only a JSON streaming library, so that the deployment on Lambda
 * stays small.
 */
package io.phaseload.service;
