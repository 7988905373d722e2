package io.phaseload.events.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
import io.phaseload.http.tls.TlsContext;
import io.phaseload.http.tls.TlsMaterial;
import io.phaseload.plan.Target;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * Encrypts a run's connections. Certificates and host names are checked as in the thread engine, unless the target is
 * insecure. Thread-safe.
 */
public final class Tls implements AutoCloseable {

    /** The TLS libraries, in order of preference. */
    public enum Provider {
        BORINGSSL,
        JDK;

        /** Its name in results. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * BoringSSL, if its library is available and it would trust whom the JVM trusts: not if the JVM was given its
         * own context, key or protocols.
         */
        public static Provider of(Target target) {
            boolean asTheJvm =
                    target.insecure() || target.tlsFiles().authorities().isPresent() || isJvmsOwn(defaultContext());
            boolean ownKey =
                    target.tlsFiles().certificate().isEmpty() && System.getProperty("javax.net.ssl.keyStore") != null;
            return OpenSsl.isAvailable()
                            && asTheJvm
                            && !ownKey
                            && System.getProperty("jdk.tls.client.protocols") == null
                    ? BORINGSSL
                    : JDK;
        }

        private static boolean isJvmsOwn(SSLContext context) {
            return context.getProtocol().equals("Default");
        }

        private static SSLContext defaultContext() {
            try {
                return SSLContext.getDefault();
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("TLS can't be set up: " + e.getMessage(), e);
            }
        }
    }

    /** {@code null} for a target without it. */
    public static Tls of(Target target, boolean http2) {
        return target.tls() ? new Tls(target, Provider.of(target), http2) : null;
    }

    /** HTTP/1.1 is offered, too, so that a server that speaks nothing else can say so. */
    private static final String[] PROTOCOLS = {"h2", "http/1.1"};

    private final Target target;
    private final Provider provider;
    private final boolean http2;
    // One of them.
    private final SslContext natives;
    private final SSLContext jdk;

    /**
     * Sets TLS up.
     *
     * @param http2 true to negotiate HTTP/2
     */
    public Tls(Target target, Provider provider, boolean http2) {
        this.target = target;
        this.provider = provider;
        this.http2 = http2;
        this.natives = provider == Provider.BORINGSSL ? nativeContext(target, http2) : null;
        this.jdk = provider == Provider.JDK ? TlsContext.of(target) : null;
    }

    private static SslContext nativeContext(Target target, boolean http2) {
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.OPENSSL);
        if (target.insecure()) {
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null);
        }
        TlsMaterial material = TlsMaterial.read(target.tlsFiles());
        if (material.key() != null) {
            builder.keyManager(material.key(), material.certificates());
        }
        if (http2) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    PROTOCOLS));
        }
        try {
            material.trustManager().ifPresent(builder::trustManager);
            return builder.build();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("TLS can't be set up: " + e.getMessage(), e);
        }
    }

    public Provider provider() {
        return provider;
    }

    /** Creates the handler that encrypts one connection; the handshake starts when it is added to a channel. */
    public SslHandler newHandler(ByteBufAllocator allocator) {
        SslHandler handler = new SslHandler(newEngine(allocator));
        handler.setCumulator(TlsRecords::cumulate);
        // The connection has its own deadline.
        handler.setHandshakeTimeoutMillis(0);
        return handler;
    }

    private SSLEngine newEngine(ByteBufAllocator allocator) {
        if (natives != null) {
            return natives.newEngine(allocator, target.host(), target.port());
        }
        SSLEngine engine = jdk.createSSLEngine(target.host(), target.port());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        if (!target.insecure()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (http2) {
            parameters.setApplicationProtocols(PROTOCOLS);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** The handler that encrypts a channel. */
    public static SSLEngine engine(DuplexChannel channel) {
        return channel.pipeline().get(SslHandler.class).engine();
    }

    /** Whether a server has agreed to HTTP/2. */
    public static boolean isHttp2(DuplexChannel channel) {
        return PROTOCOLS[0].equals(engine(channel).getApplicationProtocol());
    }

    @Override
    public void close() {
        ReferenceCountUtil.release(natives);
    }
}
