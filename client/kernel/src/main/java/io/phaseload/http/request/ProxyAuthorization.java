package io.phaseload.http.request;

import io.phaseload.plan.connection.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The answer to a proxy's challenge, before there is one (RFC 9110 §11.7.2). */
public final class ProxyAuthorization {

    private ProxyAuthorization() {}

    /**
     * Says who asks (RFC 7617).
     *
     * @param secret the name and the password that the proxy knows
     * @return the value of {@code Proxy-Authorization}
     */
    public static String basic(Credentials secret) {
        String both = secret.name() + ":" + secret.password();
        return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
    }
}
