package io.phaseload.scrape;

import io.phaseload.http.tls.TlsContext;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import javax.net.ssl.HttpsURLConnection;

/**
 * The response of an address.
 *
 * @param contentType in lower case; empty if there was none
 * @param text the body
 * @param nanos the time when it arrived, as {@link System#nanoTime()}
 */
record MetricsPage(String contentType, String text, long nanos) {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_BYTES = 16 << 20;
    private static final String ACCEPT =
            "application/json,text/plain;version=0.0.4,application/openmetrics-text;q=0.5,*/*;q=0.1";

    /**
     * Fetches a page over a connection that the JDK keeps alive. Users' connections aren't used, since those are being
     * measured.
     *
     * @throws IOException if it doesn't come in time, with status 200 and a body of at most 16 MiB
     */
    static MetricsPage fetch(URI uri, Target target) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout((int) TIMEOUT.toMillis());
        connection.setReadTimeout((int) TIMEOUT.toMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty("Accept", ACCEPT);
        if (connection instanceof HttpsURLConnection secured) {
            secure(secured, target);
        }
        int status = connection.getResponseCode();
        if (status != HttpURLConnection.HTTP_OK) {
            connection.disconnect();
            throw new IOException("it responded with status " + status);
        }
        byte[] body;
        try (InputStream in = connection.getInputStream()) {
            body = in.readNBytes(MAX_BYTES + 1);
        }
        if (body.length > MAX_BYTES) {
            connection.disconnect();
            throw new IOException("it responded with more than 16 MiB");
        }
        String type = connection.getContentType();
        return new MetricsPage(
                type == null ? "" : type.toLowerCase(Locale.ROOT),
                new String(body, StandardCharsets.UTF_8),
                System.nanoTime());
    }

    /**
     * With the TLS settings of the target's connections, or the JDK's default factory, for which it keeps connections
     * alive.
     */
    private static void secure(HttpsURLConnection connection, Target target) {
        if (target.insecure() || !target.tlsFiles().equals(TlsFiles.NONE)) {
            connection.setSSLSocketFactory(TlsContext.of(target).getSocketFactory());
        }
        if (target.insecure()) {
            connection.setHostnameVerifier((host, session) -> true);
        }
    }
}
