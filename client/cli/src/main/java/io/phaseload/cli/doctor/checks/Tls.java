package io.phaseload.cli.doctor.checks;

import io.phaseload.cli.doctor.facts.Handshake;
import io.phaseload.plan.engine.Protocol;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Optional;

/** Whether the plan's users and the target agree on TLS, and trust each other. */
public final class Tls {

    /** What ALPN calls HTTP/2. */
    public static final String HTTP_2 = "h2";

    private static final Duration SOON = Duration.ofDays(14);

    private Tls() {}

    /**
     * A failure here is one of every connection.
     *
     * @param now tells whether certificates have expired
     */
    public static Outcome judge(Planned planned, Handshake handshake, Instant now) {
        String host = planned.plan().target().host();
        Optional<X509Certificate> first =
                handshake.chain().stream().min(Comparator.comparing(X509Certificate::getNotAfter));
        String chain = first.map(earliest -> text(handshake, earliest)).orElse("no certificate");
        if (handshake.failure().isPresent()) {
            return new Outcome.Fail(
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
            return new Outcome.Fail(
                    found + "; no HTTP/2 by ALPN",
                    "the plan wants HTTP/2, which the target doesn't speak",
                    "leave out --http2, or turn it on at the target");
        }
        if (first.filter(earliest -> earliest.getNotAfter().toInstant().isBefore(now.plus(SOON)))
                .isPresent()) {
            return new Outcome.Warn(
                    found,
                    planned.plan().target().insecure()
                            ? "nobody checks it, since the plan is insecure; others will soon refuse it"
                            : "it expires soon: connections will fail then",
                    "renew the certificate");
        }
        return new Outcome.Ok(
                found,
                planned.plan().target().insecure()
                        ? "nobody checks it, since the plan is insecure"
                        : "trusted for " + host);
    }

    private static String text(Handshake handshake, X509Certificate earliest) {
        return "%s by %s, valid until %s"
                .formatted(
                        handshake.chain().get(0).getSubjectX500Principal().getName(),
                        handshake.chain().get(0).getIssuerX500Principal().getName(),
                        LocalDate.ofInstant(earliest.getNotAfter().toInstant(), ZoneOffset.UTC));
    }
}
