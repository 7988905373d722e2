/**
 * Runs a handler without Lambda: {@link io.phaseload.lambda.local.FunctionUrl} makes events of requests and answers of
 * what the handler says, as a Function URL does, with one event an instance at a time. It is a
 * {@link io.phaseload.service.Service}, so that a server can be put in front of it. Nothing of this package is
 * deployed.
 */
package io.phaseload.lambda.local;
