package io.phaseload.http.request;

import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.Received;
import io.phaseload.journey.ContentReader;
import io.phaseload.journey.Session;
import io.phaseload.journey.ValueFinder;
import io.phaseload.plan.check.Requirement.Contains;
import io.phaseload.plan.check.Requirement.Matches;
import io.phaseload.plan.check.Subject.Kind;
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
 * @param kind the checked part
 * @param needsAll true if the kept part of a longer body doesn't decide
 * @param deviation the deviation; empty if there is none
 */
record WholeTest(Kind kind, boolean needsAll, Function<Received, Optional<String>> deviation) implements ResponseTest {

    private static final String NO_TYPE = "no Content-Type";

    static WholeTest of(ValueCheck check) {
        Kind kind = check.subject().kind();
        String text = check.requirement().text();
        boolean part = check.requirement() instanceof Contains || check.requirement() instanceof Matches;
        return new WholeTest(
                kind,
                kind != Kind.TYPE && !part,
                switch (kind) {
                    case TYPE -> type(text.toLowerCase(Locale.ROOT));
                    case BODY -> text(RegularExpression.of((Matches) check.requirement()));
                    case SHA256 -> body(digest(text.toLowerCase(Locale.ROOT)));
                    case BYTES -> body(part ? within(text) : exact(text));
                    case SCHEMA -> body(
                            ContentReader.required().schema(check.subject().document(Path.of(""))));
                    default -> throw new IllegalArgumentException("no body: " + check);
                });
    }

    /** The essence of the media type, its subtype, or the suffix of that (RFC 6839). */
    private static Function<Received, Optional<String>> type(String expected) {
        return response -> {
            String type = ValueFinder.header(response.head(), "Content-Type")
                    .map(value -> value.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                    .orElse("");
            boolean holds = type.equals(expected) || type.endsWith("/" + expected) || type.endsWith("+" + expected);
            return holds ? Optional.empty() : Optional.of(type.isEmpty() ? NO_TYPE : "Content-Type " + type);
        };
    }

    private static Function<Received, Optional<String>> text(Predicate<String> pattern) {
        return body(
                body -> pattern.test(new String(body, StandardCharsets.UTF_8)) ? Optional.empty() : Optional.of(""));
    }

    private static Function<Received, Optional<String>> body(Function<byte[], Optional<String>> deviation) {
        return response -> deviation.apply(ResponseTest.bytes(response));
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

    private static Function<byte[], Optional<String>> within(String hex) {
        // One character a byte.
        String wanted = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
        return body ->
                new String(body, StandardCharsets.ISO_8859_1).contains(wanted) ? Optional.empty() : Optional.of("");
    }

    private boolean isCut(Received response) {
        return needsAll && (response.bodyBytes() == Received.UNKNOWN || response.bodyBytes() > KeptBody.CHECKED_BYTES);
    }

    @Override
    public TestResult find(Received response, @Nullable Session session, long serviceNanos) {
        if (isCut(response)) {
            return TestResult.CUT;
        }
        Optional<String> found = deviation.apply(response);
        if (found.isEmpty()) {
            return TestResult.HOLDS;
        }
        return isAbsent(response, found.get()) ? TestResult.ABSENT : TestResult.FAILS;
    }

    private boolean isAbsent(Received response, String found) {
        byte[] body = ResponseTest.bytes(response);
        return switch (kind) {
            case TYPE -> found.equals(NO_TYPE);
            case SCHEMA -> !ValueFinder.isJson(body);
            default -> body.length == 0;
        };
    }

    @Override
    public String shown(Received response, @Nullable Session session, long serviceNanos) {
        if (isCut(response)) {
            return "only the first MiB of the body is kept";
        }
        String found = deviation.apply(response).orElse("");
        return found.isEmpty() ? KeptBody.refused(response.body(), session) : found;
    }
}
