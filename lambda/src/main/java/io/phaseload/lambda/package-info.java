/**
 * The AWS Lambda target: the same service as the Tomcat target's, behind a Function URL or an HTTP API, as payload
 * format 2.0.
 *
 * <p>{@link io.phaseload.lambda.Handler} reads an {@code HttpEvent}, hands it to
 * {@link io.phaseload.service.TargetService} and writes the answer, with a header for the state of the instance. This
 * package and the service are all that is deployed; {@link io.phaseload.lambda.local} runs the handler without Lambda.
 */
package io.phaseload.lambda;
