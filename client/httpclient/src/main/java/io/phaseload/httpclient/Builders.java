package io.phaseload.httpclient;

import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Credentials;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.engine.Access;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.plan.engine.HttpClientSettings.Feature;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.BearerToken;
import org.apache.hc.client5.http.auth.CredentialsProvider;
import org.apache.hc.client5.http.auth.StandardAuthScheme;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/** A client's settings in HttpClient's words. Its own additions are off by default. */
final class Builders {

    private Builders() {}

    static HttpClientBuilder of(Target target, HttpClientSettings settings) {
        Access access = settings.access();
        HttpClientBuilder builder = HttpClients.custom()
                .setDefaultRequestConfig(requestConfig(settings))
                .setDefaultCredentialsProvider(answers(target, access));
        access.proxy()
                .filter(proxy -> proxy.kind() == Proxy.Kind.HTTP)
                .ifPresent(proxy -> builder.setProxy(host(proxy)));
        if (settings.retries() == 0) {
            builder.disableAutomaticRetries();
        } else {
            builder.setRetryStrategy(new DefaultHttpRequestRetryStrategy(settings.retries(), TimeValue.ofSeconds(1)));
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
                .setAuthenticationEnabled(answers(settings.access()))
                .setConnectionKeepAlive(TimeValue.of(settings.pool().keepAlive()))
                // Else it offers TLS in the headers of plain requests.
                .setProtocolUpgradeEnabled(false)
                .build();
    }

    private static boolean answers(Access access) {
        return access.credentials().isPresent()
                || access.bearerToken().isPresent()
                || access.proxy().flatMap(Proxy::credentials).isPresent();
    }

    /** Only to the service and to the proxy, not to where a redirect leads. */
    private static CredentialsProvider answers(Target target, Access access) {
        BasicCredentialsProvider answers = new BasicCredentialsProvider();
        HttpHost service = new HttpHost(target.uri().getScheme(), target.host(), target.port());
        access.credentials().map(Builders::secret).ifPresent(secret -> {
            answers.setCredentials(new AuthScope(service, null, StandardAuthScheme.BASIC), secret);
            answers.setCredentials(new AuthScope(service, null, StandardAuthScheme.DIGEST), secret);
        });
        access.bearerToken()
                .ifPresent(token -> answers.setCredentials(
                        new AuthScope(service, null, StandardAuthScheme.BEARER), new BearerToken(token)));
        access.proxy().ifPresent(proxy -> proxy.credentials()
                .map(Builders::secret)
                .ifPresent(secret -> answers.setCredentials(new AuthScope(host(proxy)), secret)));
        return answers;
    }

    private static UsernamePasswordCredentials secret(Credentials of) {
        return new UsernamePasswordCredentials(of.name(), of.password().toCharArray());
    }

    private static HttpHost host(Proxy proxy) {
        return new HttpHost("http", proxy.host(), proxy.port());
    }

    static boolean has(HttpClientSettings settings, Feature feature) {
        return settings.features().contains(feature);
    }
}
