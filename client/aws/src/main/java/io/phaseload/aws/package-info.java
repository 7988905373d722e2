/**
 * Signs requests for AWS: a {@link io.phaseload.plan.RequestSigner} on top of the AWS SDK. It is a separate module, so
 * that users of the library only get the SDK if they want it.
 */
package io.phaseload.aws;
