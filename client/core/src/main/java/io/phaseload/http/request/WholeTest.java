package io.phaseload.http.request;

import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.Received;
import io.phaseload.journey.ContentReader;
import io.phaseload.journey.Session;
import io.phaseload.journey.ValueFinder;
import io.phaseload.plan.check.Requirement;
import io.phaseload.plan.check.Requirement.Contains;
import io.phaseload.plan.check.Requirement.Matches;
import io.phaseload.plan.check.Subject;
import io.phaseload.plan.check.ValueCheck;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A response's body as a whole, or its media type, is as it should be.
 *
 * @param found the deviation; empty if there is none
 */
record WholeTest(Function<Received, Optional<String>> found) implements ResponseTest {

    private static final String CUT = "only the first MiB of the body is kept";

    static WholeTest of(ValueCheck check) {
        return new WholeTest(
                switch (check.subject().kind()) {
                    case TYPE -> type(check.requirement().text());
                    case BODY -> text(pattern(check.requirement()));
                    case SHA256 -> whole(digest(check.requirement().text().toLowerCase(Locale.ROOT)));
                    case BYTES -> check.requirement() instanceof Contains
                            ? bytes(check.requirement().text())
                            : whole(exact(check.requirement().text()));
                    case SCHEMA -> whole(schema(check.subject()));
                    default -> throw new IllegalArgumentException("no body: " + check);
                });
    }

    private static Predicate<String> pattern(Requirement requirement) {
        return ContentReader.required().pattern(((Matches) requirement).expression());
    }

    /** The essence of the media type, its subtype, or the suffix of that (RFC 6839). */
    private static Function<Received, Optional<String>> type(String wanted) {
        String expected = wanted.toLowerCase(Locale.ROOT);
        return response -> {
            String type = ValueFinder.header(response.head(), "Content-Type")
                    .map(value -> value.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                    .orElse("");
            boolean holds = type.equals(expected) || type.endsWith("/" + expected) || type.endsWith("+" + expected);
            return holds ? Optional.empty() : Optional.of(type.isEmpty() ? "no Content-Type" : "Content-Type " + type);
        };
    }

    private static Function<Received, Optional<String>> text(Predicate<String> pattern) {
        return response -> pattern.test(new String(ResponseTest.bytes(response), StandardCharsets.UTF_8))
                ? Optional.empty()
                : Optional.of("");
    }

    /** A condition on a whole body doesn't hold where the body is longer than what is kept. */
    private static Function<Received, Optional<String>> whole(Function<byte[], Optional<String>> deviation) {
        return response -> response.bodyBytes() > KeptBody.CHECKED_BYTES
                ? Optional.of(CUT)
                : deviation.apply(ResponseTest.bytes(response));
    }

    private static Function<byte[], Optional<String>> digest(String wanted) {
        return body -> {
            String digest = HexFormat.of().formatHex(sha256().digest(body));
            return digest.equals(wanted) ? Optional.empty() : Optional.of("sha256 " + digest);
        };
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static Function<byte[], Optional<String>> exact(String hex) {
        byte[] wanted = HexFormat.of().parseHex(hex);
        return body -> MessageDigest.isEqual(body, wanted) ? Optional.empty() : Optional.of(body.length + " bytes");
    }

    private static Function<Received, Optional<String>> bytes(String hex) {
        // One character a byte.
        String wanted = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
        return response -> new String(ResponseTest.bytes(response), StandardCharsets.ISO_8859_1).contains(wanted)
                ? Optional.empty()
                : Optional.of("");
    }

    private static Function<byte[], Optional<String>> schema(Subject subject) {
        return ContentReader.required().schema(subject.document(Path.of("")));
    }

    @Override
    public boolean holds(Received response, @Nullable Session session, long sentNanos) {
        return found.apply(response).isEmpty();
    }

    @Override
    public String shown(Received response, @Nullable Session session) {
        String deviation = found.apply(response).orElse("");
        return deviation.isEmpty() ? KeptBody.quoted(response.body(), session) : deviation;
    }
}
