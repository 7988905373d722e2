package io.phaseload.http;

import io.phaseload.journey.Bytes;
import io.phaseload.journey.Extractor;
import io.phaseload.journey.Session;
import io.phaseload.journey.Slots;
import io.phaseload.journey.Text;
import io.phaseload.plan.Body;
import io.phaseload.plan.Journeys;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Step;
import io.phaseload.plan.Target;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A step of a journey, of which all is encoded once a run that is the same each time. Immutable
 * after construction and shared by all users.
 */
final class RequestTemplate {

    private static final byte[] CONTENT_LENGTH = ascii("Content-Length: ");
    private static final byte[] LINE_END = ascii("\r\n");

    /** Before its value, bytes that are the same each time. */
    private record Line(byte[] before, Text value) {}

    private final PreparedRequest same;
    private final List<Line> lines = new ArrayList<>();
    private final boolean withLength;
    private final Optional<Text> body;
    private final byte[] bodySame;
    private final Extractor[] extractors;

    private RequestTemplate(Target target, Step.Request step, Slots slots) {
        same = new PreparedRequest(target, step.operation());
        lines.add(new Line(ascii(same.method() + " "), Text.path(same.path(), slots)));
        StringBuilder before = new StringBuilder(" HTTP/1.1\r\n");
        same.headers()
                .forEach(
                        (name, value) -> {
                            if (!name.equals("Content-Length")) {
                                before.append(name).append(": ");
                                Text text = Text.header(value, slots);
                                lines.add(new Line(ascii(before.toString()), text));
                                before.setLength(0);
                                before.append("\r\n");
                            }
                        });
        withLength = same.headers().containsKey("Content-Length");
        body = step.operation().body().flatMap(Body::text).map(text -> Text.body(text, slots));
        bodySame = same.wireBody();
        extractors =
                step.extractions().stream()
                        .map(extraction -> new Extractor(extraction, slots))
                        .toArray(Extractor[]::new);
    }

    /**
     * The steps of a plan's journeys.
     *
     * @param plan has some
     * @return a source of requests that are written anew for each session
     */
    static RequestSource<PreparedRequest> all(Plan plan) {
        Journeys journeys = plan.scenario().journeys().orElseThrow();
        Slots slots = Slots.of(journeys, plan.target());
        RequestTemplate[] templates =
                journeys.requests().stream()
                        .map(step -> new RequestTemplate(plan.target(), step, slots))
                        .toArray(RequestTemplate[]::new);
        return (operation, session) -> templates[operation].fill(session);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The request with a session's values; {@code null} if one can't be where it is to be. */
    private PreparedRequest fill(Session session) {
        Bytes head = session.head();
        for (Line line : lines) {
            head.add(line.before());
            line.value().write(session, head);
        }
        head.add(LINE_END);
        Bytes text = session.body();
        body.ifPresent(own -> own.write(session, text));
        int length = body.isPresent() ? text.length() : bodySame.length;
        if (withLength) {
            head.add(CONTENT_LENGTH);
            head.add(length);
            head.add(LINE_END);
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
        return same.filled(wire, head.length(), extractors, session);
    }
}
