package io.phaseload.http.tls;

import io.phaseload.plan.Target;
import io.phaseload.plan.connection.TlsFiles;
import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Creates the TLS context for a target: whom to trust, and who the client is. */
public final class TlsContext {

    private TlsContext() {}

    /**
     * Makes a context.
     *
     * @param target says whom to trust and who the client is
     * @return the JVM's default one, unless the target says more
     * @throws IllegalArgumentException if a file of the target's can't be used
     */
    public static SSLContext of(Target target) {
        try {
            if (!target.insecure() && target.tlsFiles().equals(TlsFiles.NONE)) {
                return SSLContext.getDefault();
            }
            TlsMaterial material = TlsMaterial.read(target.tlsFiles());
            TrustManager[] trust = target.insecure()
                    ? new TrustManager[] {new TrustAll()}
                    : material.trustManager()
                            .map(only -> new TrustManager[] {only})
                            .orElse(null);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(material.keyManagers(), trust, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("TLS can't be set up: " + e.getMessage(), e);
        }
    }
}
