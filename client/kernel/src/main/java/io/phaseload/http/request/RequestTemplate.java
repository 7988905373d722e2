package io.phaseload.http.request;

import io.phaseload.http.response.ContentCoding;
import io.phaseload.journey.Bytes;
import io.phaseload.journey.CompiledTemplate;
import io.phaseload.journey.Extractor;
import io.phaseload.journey.FollowUp;
import io.phaseload.journey.Session;
import io.phaseload.journey.Slots;
import io.phaseload.plan.Body;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Step;
import io.phaseload.plan.Target;
import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.journey.Template;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A step of a journey, of which all is encoded once a run that is the same each time. Immutable after construction and
 * shared by all users.
 */
final class RequestTemplate {

    private static final String CONTENT_LENGTH = "Content-Length";
    private static final byte[] LENGTH = ascii(CONTENT_LENGTH + ": ");
    private static final String ACCEPT_ENCODING = "Accept-Encoding";

    /** Headers that a redirected request without a body doesn't have (RFC 9110 §15.4). */
    private static final Set<String> CONTENT_HEADERS = Set.of(
            "content-length",
            "content-type",
            "content-encoding",
            "content-language",
            "content-location",
            "expect",
            "digest",
            "last-modified");

    private static final byte[] LINE_END = ascii("\r\n");

    /** Before its value, bytes that are the same each time. */
    private record HeaderTemplate(byte[] before, CompiledTemplate value) {}

    private final int index;
    private final EncodedOperation same;
    private final List<HeaderTemplate> lines = new ArrayList<>();
    private final boolean secretPath;
    private final boolean withLength;
    private final boolean asksEncoding;
    private final Optional<CompiledTemplate> body;
    private final byte[] bodySame;
    private final List<Extractor> extractors;

    private RequestTemplate(int index, Target target, Step.Measured step, Slots slots, Journeys journeys) {
        this.index = index;
        ResponseChecks checks = ResponseChecks.of(step.operation().checks(), slots);
        same = EncodedOperation.of(target, step.operation(), checks);
        lines.add(new HeaderTemplate(
                ascii(same.line().method() + " " + same.line().prefix()),
                CompiledTemplate.path(same.line().path(), slots)));
        StringBuilder before = new StringBuilder(" HTTP/1.1\r\n");
        same.headers().forEach((name, value) -> {
            if (!name.equals("Content-Length")) {
                before.append(name).append(": ");
                CompiledTemplate text = CompiledTemplate.header(value, slots);
                lines.add(new HeaderTemplate(ascii(before.toString()), text));
                before.setLength(0);
                before.append("\r\n");
            }
        });
        secretPath = Template.parse(same.line().path()).names().stream().anyMatch(journeys::isSecret);
        withLength = same.headers().containsKey("Content-Length");
        asksEncoding = same.headers().keySet().stream().anyMatch(ACCEPT_ENCODING::equalsIgnoreCase);
        body = step.operation().body().flatMap(Body::text).map(text -> CompiledTemplate.body(text, slots));
        bodySame = Arrays.copyOfRange(same.wire(), same.headLength(), same.wire().length);
        extractors = step.extractions().stream()
                .map(extraction -> new Extractor(extraction, slots))
                .toList();
    }

    /**
     * The steps of a plan's journeys.
     *
     * @param plan has some
     * @return a source of requests that are written anew for each session
     */
    static RequestSource all(Plan plan) {
        Journeys journeys = plan.scenario().journeys().orElseThrow();
        Slots slots = Slots.of(journeys, plan.target());
        List<RequestTemplate> templates = new ArrayList<>();
        for (Step.Measured step : journeys.requests()) {
            templates.add(new RequestTemplate(templates.size(), plan.target(), step, slots, journeys));
        }
        return (operation, session) -> {
            if (operation < templates.size()) {
                return templates.get(operation).fill(session);
            }
            RequestTemplate step = templates.get(session.step());
            return session.followUp() == null ? step.fill(session) : step.follow(session);
        };
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The request with a session's values; {@code null} if one can't be where it is to be. */
    private PreparedRequest fill(Session session) {
        session.begins(index);
        Bytes head = session.head();
        for (HeaderTemplate line : lines) {
            head.add(line.before());
            line.value().write(session, head);
        }
        head.add(LINE_END);
        Bytes text = session.body();
        body.ifPresent(own -> own.write(session, text));
        int length = body.isPresent() ? text.length() : bodySame.length;
        if (withLength) {
            head.add(LENGTH);
            head.add(length);
            head.add(LINE_END);
        }
        if (session.rules() != SessionRules.NONE) {
            ask(session, head);
        }
        head.add(LINE_END);
        if (head.refused()) {
            return null;
        }
        byte[] wire = new byte[head.length() + length];
        head.copyTo(wire, 0);
        if (body.isPresent()) {
            text.copyTo(wire, head.length());
        } else {
            System.arraycopy(bodySame, 0, wire, head.length(), length);
        }
        return request(same.line().method(), wire, head.length(), session, secretPath);
    }

    /** The lines that the session's rules add. */
    private void ask(Session session, Bytes head) {
        if (session.rules().decompress() && !asksEncoding) {
            head.addLine(ACCEPT_ENCODING, ContentCoding.NAMES);
        }
        String path = WrittenHead.path(head.toBytes(), head.length());
        session.writeRemembered(same.line().method(), path, head);
    }

    /** The request that the last response asked for; {@code null} if it can't be written. */
    private @Nullable PreparedRequest follow(Session session) {
        FollowUp next = session.followUp();
        byte[] before = session.sentHead().toBytes();
        Map<String, String> headers = WrittenHead.headers(before, before.length);
        boolean withBody = next.withBody() && headers.containsKey(CONTENT_LENGTH);
        Bytes head = session.head();
        head.add(ascii(next.method() + " " + same.line().prefix() + next.path() + " HTTP/1.1\r\n"));
        headers.forEach((name, value) -> {
            boolean ofBody = CONTENT_HEADERS.contains(name.toLowerCase(Locale.ROOT));
            if (!session.rules().writes(name) && (withBody || !ofBody)) {
                head.addLine(name, value);
            }
        });
        session.writeRemembered(next.method(), next.path(), head);
        head.add(LINE_END);
        if (head.refused()) {
            return null;
        }
        byte[] content = withBody ? sentBody(session) : new byte[0];
        byte[] wire = new byte[head.length() + content.length];
        head.copyTo(wire, 0);
        System.arraycopy(content, 0, wire, head.length(), content.length);
        return request(next.method(), wire, head.length(), session, false);
    }

    private PreparedRequest request(String method, byte[] wire, int length, Session session, boolean secret) {
        return new PreparedRequest(same, method, wire, length, extractors, session, secret, null, null);
    }

    private byte[] sentBody(Session session) {
        return body.isPresent() ? session.sentBody().toBytes() : bodySame;
    }
}
