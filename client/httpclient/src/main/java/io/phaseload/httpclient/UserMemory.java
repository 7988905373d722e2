package io.phaseload.httpclient;

import java.util.function.Supplier;
import org.apache.hc.client5.http.auth.AuthCache;
import org.apache.hc.client5.http.cookie.BasicCookieStore;
import org.apache.hc.client5.http.cookie.CookieStore;
import org.apache.hc.client5.http.impl.auth.BasicAuthCache;
import org.apache.hc.client5.http.protocol.HttpClientContext;

/**
 * The state of a shared client's user between requests: its cookies, and the challenges that it has answered. Owned by
 * the user's thread.
 */
final class UserMemory implements Supplier<HttpClientContext> {

    private final CookieStore cookies = new BasicCookieStore();
    private final AuthCache answered = new BasicAuthCache();

    /** A context for one request. */
    @Override
    public HttpClientContext get() {
        HttpClientContext context = HttpClientContext.create();
        context.setCookieStore(cookies);
        context.setAuthCache(answered);
        return context;
    }
}
