package io.phaseload.httpclient;

import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.plan.engine.HttpClientSettings.Feature;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/** A client's settings in HttpClient's words. What it does by itself is off unless asked for. */
final class Builders {

    private Builders() {}

    static HttpClientBuilder of(HttpClientSettings settings) {
        HttpClientBuilder builder =
                HttpClients.custom()
                        .setDefaultRequestConfig(requestConfig(settings))
                        .disableAuthCaching();
        if (settings.retries() == 0) {
            builder.disableAutomaticRetries();
        } else {
            builder.setRetryStrategy(
                    new DefaultHttpRequestRetryStrategy(
                            settings.retries(), TimeValue.ofSeconds(1)));
        }
        if (!has(settings, Feature.FOLLOW_REDIRECTS)) {
            builder.disableRedirectHandling();
        }
        if (!has(settings, Feature.KEEP_COOKIES)) {
            builder.disableCookieManagement();
        }
        if (!has(settings, Feature.DECODE)) {
            builder.disableContentCompression();
        }
        return builder;
    }

    /** A response has no limit here: HttpClient's is for each read, ours for the whole of it. */
    private static RequestConfig requestConfig(HttpClientSettings settings) {
        return RequestConfig.custom()
                .setConnectionRequestTimeout(Timeout.of(settings.leaseTimeout()))
                .setExpectContinueEnabled(has(settings, Feature.EXPECT_CONTINUE))
                .setAuthenticationEnabled(false)
                // Else it offers TLS in the headers of plain requests.
                .setProtocolUpgradeEnabled(false)
                .build();
    }

    static boolean has(HttpClientSettings settings, Feature feature) {
        return settings.features().contains(feature);
    }
}
