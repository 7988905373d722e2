package io.phaseload.cli;

import io.phaseload.aws.AwsSigV4;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import java.net.URI;
import java.util.Optional;

/** {@code --aws-sigv4}. */
final class Signing {

    private Signing() {}

    /**
     * The plan with its requests signed, if that is asked for.
     *
     * @param url where they go; empty for a target that is started here
     */
    static Plan sign(Plan plan, RunOptions options, Optional<URI> url) throws UsageException {
        if (options.awsSigv4 == null) {
            return plan;
        }
        if (url.isEmpty()) {
            throw new UsageException(
                    "--aws-sigv4 " + options.awsSigv4 + ": expected --url beside it");
        }
        return plan.signedBy(
                Checked.value(
                        "--aws-sigv4",
                        options.awsSigv4,
                        parameters -> AwsSigV4.of(parameters, url.get()),
                        "aws:amz[:region[:service]]"));
    }
}
