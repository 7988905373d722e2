package io.phaseload.http;

import io.phaseload.plan.Target;
import java.net.URI;
import java.util.List;
import javax.net.ssl.SSLContext;

/** What a {@link MisbehavingServer} of a test speaks beneath HTTP. */
enum ServerWire {
    PLAIN(null),
    TLS_1_2("TLSv1.2"),
    TLS_1_3("TLSv1.3");

    private final String protocol;

    ServerWire(String protocol) {
        this.protocol = protocol;
    }

    boolean secured() {
        return protocol != null;
    }

    /** Starts a server. */
    MisbehavingServer start(SSLContext certificate, Script... scripts) throws Exception {
        return secured()
                ? MisbehavingServer.startTls(certificate, protocol, scripts)
                : MisbehavingServer.start(scripts);
    }

    /** A user who takes any certificate. */
    static OneUser user(URI uri) {
        return OneUser.of(new Target(uri, List.of(), OneUser.LONG, OneUser.LONG, true));
    }

    /** The same, who sends again on idle connections. */
    static OneUser resendingUser(URI uri) {
        return OneUser.of(new Target(uri, List.of(), OneUser.LONG, OneUser.LONG, true).withResendIdle(true));
    }
}
