package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Probe;
import io.phaseload.cli.doctor.facts.TlsFacts;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.result.Figures;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Optional;

/** The target's side of connections. */
public final class ConnectionChecks {

    /** The ALPN name of HTTP/2. */
    public static final String HTTP_2 = "h2";

    private static final Duration SOON = Duration.ofDays(14);

    private ConnectionChecks() {}

    /**
     * TLS between the plan's users and the target, and their trust in each other. A failure here is one of every
     * connection.
     *
     * @param now the time at which certificates must be valid
     */
    public static CheckOutcome tls(Planned planned, TlsFacts handshake, Instant now) {
        String host = planned.plan().target().host();
        Optional<X509Certificate> first =
                handshake.chain().stream().min(Comparator.comparing(X509Certificate::getNotAfter));
        String chain = first.map(earliest -> text(handshake, earliest)).orElse("no certificate");
        if (handshake.failure().isPresent()) {
            return new CheckOutcome.Fail(
                    "%s; %s".formatted(handshake.failure().get(), chain),
                    "no connection can be made",
                    first.filter(earliest -> earliest.getNotAfter().toInstant().isBefore(now))
                            .map(expired -> "renew the certificate; --insecure tests without it")
                            .orElse("openssl s_client -connect %s:%d; --cacert FILE trusts an authority"
                                    .formatted(host, planned.plan().target().port())));
        }
        String found = "%s; %s".formatted(handshake.protocol(), chain);
        boolean http2 = planned.plan().engine().protocol() instanceof Protocol.Http2;
        if (http2 && !handshake.application().equals(HTTP_2)) {
            return new CheckOutcome.Fail(
                    found + "; no HTTP/2 by ALPN",
                    "the plan wants HTTP/2, which the target doesn't speak",
                    "leave out --http2, or turn it on at the target");
        }
        if (first.filter(earliest -> earliest.getNotAfter().toInstant().isBefore(now.plus(SOON)))
                .isPresent()) {
            return new CheckOutcome.Warn(
                    found,
                    planned.plan().target().insecure()
                            ? "nobody checks it, since the plan is insecure; others will soon refuse it"
                            : "it expires soon: connections will fail then",
                    "renew the certificate");
        }
        return new CheckOutcome.Ok(
                found,
                planned.plan().target().insecure()
                        ? "nobody checks it, since the plan is insecure"
                        : "trusted for " + host);
    }

    private static String text(TlsFacts handshake, X509Certificate earliest) {
        return "%s by %s, valid until %s"
                .formatted(
                        handshake.chain().get(0).getSubjectX500Principal().getName(),
                        handshake.chain().get(0).getIssuerX500Principal().getName(),
                        LocalDate.ofInstant(earliest.getNotAfter().toInstant(), ZoneOffset.UTC));
    }

    /**
     * Connections that the target keeps, so that requests don't wait for new ones. One user sent one request after
     * another.
     */
    public static CheckOutcome keepAlive(Planned planned, Probe probe) {
        Figures one = probe.one();
        long connections = one.connectionSetUp().samples();
        if (one.responses() == 0) {
            return new CheckOutcome.Fail(
                    "%d requests, none answered %s".formatted(one.requests(), one.failures()),
                    "the target doesn't answer the plan's first request",
                    "curl -v " + planned.plan().target().uri().resolve("/"));
        }
        String found = "%d requests went over %d connection%s"
                .formatted(one.requests(), connections, connections == 1 ? "" : "s");
        if (connections <= 1) {
            return new CheckOutcome.Ok(found, "the target keeps connections");
        }
        if (planned.closesConnections()) {
            return new CheckOutcome.Ok(found, "the plan asks for that (Connection: close)");
        }
        long each = Math.max(1, Math.round((double) one.requests() / connections));
        return new CheckOutcome.Warn(
                found,
                each == 1
                        ? "the target closes each connection: every request pays for a new one, and"
                                + " needs a local port"
                        : "the target closes a connection after about %d requests: their users make".formatted(each)
                                + " new ones",
                "turn on keep-alive at the target, or at the proxy before it (keepalive_requests,"
                        + " maxKeepAliveRequests)");
    }

    /** As many connections as the probe was allowed to open. Users kept their connections open at the same time. */
    public static CheckOutcome connectionLimit(Planned planned, Probe probe) {
        Figures many = probe.many();
        int asked = planned.connections();
        String found = "%d users at once made %d connections; %d of %d requests failed%s"
                .formatted(
                        probe.users(),
                        many.connectionSetUp().samples(),
                        many.failed(),
                        many.requests(),
                        many.failures().isEmpty() ? "" : " " + many.failures());
        if (many.failed() > 0) {
            return new CheckOutcome.Warn(
                    found,
                    "a run with more connections than the target takes measures that limit",
                    "raise the target's limit (maxConnections, worker_connections), or use fewer" + " users (-c)");
        }
        return new CheckOutcome.Ok(
                found,
                probe.users() < planned.users()
                        ? "the plan opens up to %d connections: --probe %d tries them all"
                                .formatted(asked, planned.users())
                        : "as many as the plan has users");
    }
}
