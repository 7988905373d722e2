package io.phaseload.cli.run;

import io.phaseload.aws.AwsSigV4;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import io.phaseload.settings.SettingsException;
import java.net.URI;
import java.util.Optional;

/** {@code --aws-sigv4}. */
public final class Signing {

    private Signing() {}

    /**
     * The plan with its requests signed, if the settings say so.
     *
     * @param url the place where they go; empty for a target that is started here
     */
    public static Plan sign(Plan plan, Settings settings, Optional<URI> url) {
        Optional<Given> asked = settings.one(Setting.AWS_SIGV4);
        if (asked.isEmpty()) {
            return plan;
        }
        try {
            if (url.isEmpty()) {
                throw asked.get().needs(Setting.URL, "");
            }
            return settings.read(Setting.AWS_SIGV4, text -> AwsSigV4.of(text, url.get()))
                    .map(plan::signedBy)
                    .orElseThrow();
        } catch (SettingsException e) {
            throw new UsageException(e.getMessage());
        }
    }
}
