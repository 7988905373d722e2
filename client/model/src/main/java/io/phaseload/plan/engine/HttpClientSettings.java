package io.phaseload.plan.engine;

import io.phaseload.input.Args;
import io.phaseload.input.Limit;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The settings of Apache HttpClient, the client whose name is {@value #NAME}.
 *
 * @param pool its connections
 * @param leaseTimeout the longest wait of a request for one of them
 * @param retries the most retries of a request, by HttpClient's own rules: 0 to 100
 * @param features its further features, all off by default
 * @param access the access to the service
 */
public record HttpClientSettings(
        ConnectionPool pool, Duration leaseTimeout, int retries, Set<Feature> features, Access access) {

    /** The client's name in plans. */
    public static final String NAME = "httpclient";

    /** HttpClient's own pool and limit; one request is sent once. */
    public static final HttpClientSettings DEFAULT =
            new HttpClientSettings(ConnectionPool.DEFAULT, Duration.ofMinutes(3), 0, Set.of(), Access.OPEN);

    /** Actions of the client in addition to sending a request. */
    public enum Feature {
        /** It follows redirects: the response is that of the last one. */
        FOLLOW_REDIRECTS,
        /** It keeps cookies, of each user apart. */
        KEEP_COOKIES,
        /** It asks for compressed bodies, and decodes them. */
        DECODE,
        /** It sends a body only when the server asks for it, with {@code Expect: 100-continue}. */
        EXPECT_CONTINUE
    }

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public HttpClientSettings {
        Args.positive("lease timeout", leaseTimeout);
        Limit.RETRIES.check(retries);
        EnumSet<Feature> inOrder = EnumSet.noneOf(Feature.class);
        inOrder.addAll(features);
        features = Collections.unmodifiableSet(inOrder);
    }

    /**
     * These settings with another pool.
     *
     * @param other see {@link #pool()}
     * @return a copy
     */
    public HttpClientSettings with(ConnectionPool other) {
        return new HttpClientSettings(other, leaseTimeout, retries, features, access);
    }

    /**
     * These settings with another way to the service.
     *
     * @param other see {@link #access()}
     * @return a copy
     */
    public HttpClientSettings with(Access other) {
        return new HttpClientSettings(pool, leaseTimeout, retries, features, other);
    }
}
