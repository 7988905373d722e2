package io.phaseload.http.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts as another trust manager does, and checks the dates of the server's certificate in any case, as curl does: the
 * JDK's doesn't if that certificate is itself an authority.
 */
final class ValidToday extends X509ExtendedTrustManager {

    private final X509ExtendedTrustManager trust;

    ValidToday(X509ExtendedTrustManager trust) {
        this.trust = trust;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        checkDates(chain);
        trust.checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        checkDates(chain);
        trust.checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        checkDates(chain);
        trust.checkServerTrusted(chain, type);
    }

    /** The server's own; the other trust manager checks those above it, and may not need them all. */
    private static void checkDates(X509Certificate[] chain) throws CertificateException {
        chain[0].checkValidity();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        trust.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        trust.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        trust.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }
}
