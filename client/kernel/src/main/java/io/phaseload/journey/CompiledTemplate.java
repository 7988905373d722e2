package io.phaseload.journey;

import io.phaseload.plan.journey.Template;
import io.phaseload.plan.journey.Template.Built;
import io.phaseload.plan.journey.Template.Encoded;
import io.phaseload.plan.journey.Template.Literal;
import io.phaseload.plan.journey.Template.Part;
import io.phaseload.plan.journey.Template.Value;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * A template that is ready to be written: what is the same each time is bytes already. Immutable, and shared by all
 * users.
 */
public final class CompiledTemplate {

    /** Writes a part of it. */
    @FunctionalInterface
    private interface TemplatePiece {
        void write(Session session, Bytes out);
    }

    private static final String JWT_HEADER = base64url(utf8("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")) + ".";

    private final TemplatePiece[] pieces;

    private CompiledTemplate(Template template, Slots slots, Bytes.ValuePlace place) {
        pieces =
                template.parts().stream().map(part -> piece(part, slots, place)).toArray(TemplatePiece[]::new);
    }

    /** A request's path. */
    public static CompiledTemplate path(String template, Slots slots) {
        return new CompiledTemplate(Template.parse(template), slots, Bytes.ValuePlace.PATH);
    }

    /** A header's value. */
    public static CompiledTemplate header(String template, Slots slots) {
        return new CompiledTemplate(Template.parse(template), slots, Bytes.ValuePlace.HEADER);
    }

    /** A body. */
    public static CompiledTemplate body(String template, Slots slots) {
        return new CompiledTemplate(Template.parse(template), slots, Bytes.ValuePlace.BODY);
    }

    /** A text to be looked at. */
    static CompiledTemplate plain(Template template, Slots slots) {
        return new CompiledTemplate(template, slots, Bytes.ValuePlace.BODY);
    }

    /** Appends it with the values of a session. */
    public void write(Session session, Bytes out) {
        for (TemplatePiece piece : pieces) {
            piece.write(session, out);
        }
    }

    /** Its text with the values of a session. */
    public String value(Session session) {
        Bytes bytes = new Bytes();
        write(session, bytes);
        return bytes.toString();
    }

    /**
     * The bytes whose hexadecimal digits it is with the values of a session.
     *
     * @return {@code null} if a value has other characters
     */
    public byte @Nullable [] bytes(Session session) {
        try {
            return HexFormat.of().parseHex(value(session));
        } catch (IllegalArgumentException notHex) {
            return null;
        }
    }

    private static TemplatePiece piece(Part part, Slots slots, Bytes.ValuePlace place) {
        if (part instanceof Literal literal) {
            Charset charset = place == Bytes.ValuePlace.HEADER ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
            byte[] bytes = literal.text().getBytes(charset);
            return (session, out) -> out.add(bytes);
        }
        if (part instanceof Value value) {
            int slot = slots.of(value.name());
            return (session, out) -> out.add(session.value(slot), place);
        }
        if (part instanceof Built built) {
            return built(built);
        }
        if (part instanceof Encoded encoded) {
            CompiledTemplate of = plain(encoded.of(), slots);
            int key = encoded.key().isEmpty() ? 0 : slots.of(encoded.key());
            return switch (encoded.encoding()) {
                case BASE64 -> (session, out) ->
                        out.add(Base64.getEncoder().encodeToString(utf8(of.value(session))), place);
                case BASE64URL -> (session, out) -> out.add(base64url(utf8(of.value(session))), place);
                case HEX -> (session, out) -> out.add(HexFormat.of().formatHex(utf8(of.value(session))), place);
                case URLENCODE -> (session, out) -> out.add(Bytes.urlEncoded(of.value(session)), place);
                case JSON -> (session, out) -> out.add(json(of.value(session)), place);
                case HMAC -> (session, out) ->
                        out.add(HexFormat.of().formatHex(hmac(session.value(key), of.value(session))), place);
                case HS256 -> (session, out) -> out.add(base64url(hmac(session.value(key), of.value(session))), place);
                case JWT -> (session, out) -> out.add(jwt(session.value(key), of.value(session)), place);
            };
        }
        throw new IllegalStateException("no piece for " + part);
    }

    private static TemplatePiece built(Built built) {
        return switch (built.source()) {
            case COUNTER -> (session, out) -> out.add(session.nextCount());
            case COUNTER_OF_USER -> (session, out) -> out.add(session.nextCountOfUser());
            case RANDOM -> (session, out) -> out.add(session.random(built.from(), built.to()));
            case UUID -> (session, out) -> out.add(session.uuid(), Bytes.ValuePlace.BODY);
            case NOW -> (session, out) -> out.add(System.currentTimeMillis());
            case NOW_IN_SECONDS -> (session, out) -> out.add(System.currentTimeMillis() / 1_000);
            case NOW_IN_MICROS -> (session, out) -> out.add(micros());
            case USER -> (session, out) -> out.add(session.user());
            case ITERATION -> (session, out) -> out.add(session.iteration());
            case ITERATION_IN_TURN -> {
                long numbers = built.to() - built.from() + 1;
                yield (session, out) -> out.add(built.from() + session.iteration() % numbers);
            }
        };
    }

    /** {@return the wall clock's time, in µs since 1970} */
    public static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String base64url(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String json(String text) {
        return String.valueOf(JsonStringEncoder.getInstance().quoteAsCharArray(text));
    }

    private static String jwt(String key, String claims) {
        String signed = JWT_HEADER + base64url(utf8(claims));
        return signed + "." + base64url(hmac(key, signed));
    }

    private static byte[] hmac(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            // No key at all is none that the JDK takes; it means the same as a zero (RFC 2104).
            byte[] secret = key.isEmpty() ? new byte[1] : utf8(key);
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(utf8(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no HmacSHA256", e);
        }
    }
}
