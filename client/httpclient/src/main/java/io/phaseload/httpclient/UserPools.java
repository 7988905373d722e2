package io.phaseload.httpclient;

import java.io.IOException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.io.LeaseRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * A pool for each user behind one client: a client for each would cost memory, and CPU time for reading it. The meter
 * of the thread has its user's. Thread-safe.
 */
final class UserPools implements HttpClientConnectionManager {

    private static HttpClientConnectionManager own() {
        return ExchangeMeter.current().pool();
    }

    @Override
    public LeaseRequest lease(String id, HttpRoute route, Timeout limit, Object state) {
        return own().lease(id, route, limit, state);
    }

    @Override
    public void release(ConnectionEndpoint endpoint, Object state, TimeValue validity) {
        own().release(endpoint, state, validity);
    }

    @Override
    public void connect(ConnectionEndpoint endpoint, TimeValue limit, HttpContext context) throws IOException {
        own().connect(endpoint, limit, context);
    }

    @Override
    public void upgrade(ConnectionEndpoint endpoint, HttpContext context) throws IOException {
        own().upgrade(endpoint, context);
    }

    /** Each user closes its own. */
    @Override
    public void close(CloseMode mode) {}

    @Override
    public void close() {}
}
