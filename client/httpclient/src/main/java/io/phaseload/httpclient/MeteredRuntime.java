package io.phaseload.httpclient;

import java.io.IOException;
import org.apache.hc.client5.http.EndpointInfo;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.ExecRuntime;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.concurrent.CancellableDependency;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.util.TimeValue;

/**
 * Where HttpClient takes a connection, connects it and sends, in one attempt of a request: tells the user's meter when
 * each begins and ends, and leaves the rest to HttpClient.
 *
 * @param runtime does it
 * @param tunnelled true if a connection leads through a proxy's tunnel, in which TLS comes later
 * @param meter of the user in whose thread this is
 */
record MeteredRuntime(ExecRuntime runtime, boolean tunnelled, ExchangeMeter meter) implements ExecRuntime {

    /** No connection is to be opened any more. */
    static final class NoTurnException extends IOException {

        private static final long serialVersionUID = 1;

        NoTurnException() {
            super("no connection is to be opened any more");
        }
    }

    /** A link of HttpClient's chain, just before the one that takes a connection. */
    static ClassicHttpResponse execute(ClassicHttpRequest request, ExecChain.Scope scope, ExecChain chain)
            throws IOException, HttpException {
        return chain.proceed(
                request,
                new ExecChain.Scope(
                        scope.exchangeId,
                        scope.route,
                        scope.originalRequest,
                        new MeteredRuntime(scope.execRuntime, scope.route.isTunnelled(), ExchangeMeter.current()),
                        scope.clientContext));
    }

    @Override
    public void acquireEndpoint(String id, HttpRoute route, Object state, HttpClientContext context)
            throws IOException {
        meter.leaseBegins();
        runtime.acquireEndpoint(id, route, state, context);
        meter.leaseEnds();
    }

    @Override
    public void connectEndpoint(HttpClientContext context) throws IOException {
        if (!meter.awaitTurn()) {
            throw new NoTurnException();
        }
        meter.connectBegins();
        runtime.connectEndpoint(context);
        if (!tunnelled) {
            meter.connectEnds();
        }
    }

    @Override
    public ClassicHttpResponse execute(String id, ClassicHttpRequest request, HttpClientContext context)
            throws IOException, HttpException {
        return execute(id, request, null, context);
    }

    @Override
    public ClassicHttpResponse execute(
            String id, ClassicHttpRequest request, HttpResponseInformationCallback informed, HttpClientContext context)
            throws IOException, HttpException {
        if (Method.CONNECT.isSame(request.getMethod())) {
            // To a proxy: a part of connecting.
            return runtime.execute(id, request, informed, context);
        }
        meter.attemptBegins();
        ClassicHttpResponse response = runtime.execute(id, request, informed, context);
        meter.headRead();
        return response;
    }

    @Override
    public boolean isExecutionAborted() {
        return runtime.isExecutionAborted();
    }

    @Override
    public boolean isEndpointAcquired() {
        return runtime.isEndpointAcquired();
    }

    @Override
    public void releaseEndpoint() {
        runtime.releaseEndpoint();
    }

    @Override
    public void discardEndpoint() {
        runtime.discardEndpoint();
    }

    @Override
    public boolean isEndpointConnected() {
        return runtime.isEndpointConnected();
    }

    @Override
    public void disconnectEndpoint() throws IOException {
        runtime.disconnectEndpoint();
    }

    @Override
    public void upgradeTls(HttpClientContext context) throws IOException {
        runtime.upgradeTls(context);
        meter.connectEnds();
    }

    @Override
    public EndpointInfo getEndpointInfo() {
        return runtime.getEndpointInfo();
    }

    @Override
    public boolean isConnectionReusable() {
        return runtime.isConnectionReusable();
    }

    @Override
    public void markConnectionReusable(Object state, TimeValue validity) {
        runtime.markConnectionReusable(state, validity);
    }

    @Override
    public void markConnectionNonReusable() {
        runtime.markConnectionNonReusable();
    }

    @Override
    public ExecRuntime fork(CancellableDependency dependency) {
        return runtime.fork(dependency);
    }
}
