package io.phaseload.httpclient;

import io.phaseload.journey.UserAgent;
import io.phaseload.journey.UserAgentProvider;
import io.phaseload.plan.Target;
import io.phaseload.plan.journey.SessionRules;
import java.util.function.Supplier;
import org.apache.hc.client5.http.cookie.CookieSpec;
import org.apache.hc.client5.http.impl.cookie.RFC6265CookieSpecFactory;
import org.apache.hc.client5.http.impl.cookie.RFC6265CookieSpecFactory.CompatibilityLevel;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.psl.PublicSuffixMatcherLoader;

/** HttpClient's rules for sessions that our own clients send the requests of. Thread-safe. */
public final class SessionAgents implements UserAgentProvider {

    // With the public suffix list: no site sets cookies for all of co.uk.
    private final CookieSpec cookies = new RFC6265CookieSpecFactory(
                    CompatibilityLevel.RELAXED, PublicSuffixMatcherLoader.getDefault())
            .create(HttpClientContext.create());

    /** For {@link java.util.ServiceLoader}. */
    public SessionAgents() {}

    @Override
    public UserAgent newAgent(Target target, SessionRules rules, Supplier<String> credentials) {
        return new SessionAgent(target, rules, cookies, credentials);
    }
}
