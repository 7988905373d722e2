/**
 * Requests signed for AWS: a {@link io.phaseload.plan.RequestSigner} on top of the AWS SDK. It is a
 * module of its own so that the library's users don't get the SDK unless they want it.
 */
package io.phaseload.aws;
