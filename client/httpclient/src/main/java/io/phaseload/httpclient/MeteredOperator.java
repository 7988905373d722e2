package io.phaseload.httpclient;

import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.protocol.HttpContext;

/** Connects, and tells the thread's meter of each part of it. Thread-safe. */
final class MeteredOperator extends DefaultHttpClientConnectionOperator {

    MeteredOperator(TlsSocketStrategy tls, DnsResolver resolver) {
        super(null, resolver, scheme -> URIScheme.HTTPS.same(scheme) ? tls : null);
    }

    @Override
    protected void onBeforeSocketConnect(HttpContext context, HttpHost host) {
        ExchangeMeter.current().found();
    }

    @Override
    protected void onAfterSocketConnect(HttpContext context, HttpHost host) {
        ExchangeMeter.current().connected();
    }

    /** A proxy's tunnel, if there is one, was made since the socket was connected. */
    @Override
    protected void onBeforeTlsHandshake(HttpContext context, HttpHost host) {
        ExchangeMeter.current().connected();
    }

    @Override
    protected void onAfterTlsHandshake(HttpContext context, HttpHost host) {
        ExchangeMeter.current().secured();
    }
}
