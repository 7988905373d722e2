package io.phaseload.journey;

import io.phaseload.plan.journey.Expectation;
import io.phaseload.plan.journey.Template;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Recognises the expected messages. Immutable, and shared by all users. */
public final class MessageMatch {

    /** A message that arrived. */
    private record ReceivedMessage(byte[] bytes, boolean isText) {
        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** With the values of a session. */
    @FunctionalInterface
    public interface Filled {

        /**
         * Whether a message is one that is expected.
         *
         * @param bytes a text's as UTF-8
         * @param isText true if it came as a text
         */
        boolean fits(byte[] bytes, boolean isText);
    }

    /** The test of messages for a session. */
    @FunctionalInterface
    private interface Test {
        Predicate<ReceivedMessage> with(Session session);
    }

    private record WantedValue(String pointer, CompiledTemplate text) {}

    private final Test test;

    /** Prepares a matcher. */
    public MessageMatch(Expectation.Matcher matcher, Slots slots) {
        test = test(matcher, slots);
    }

    /** The matcher for a session as it is now. */
    public Filled filled(Session session) {
        Predicate<ReceivedMessage> own = test.with(session);
        return (bytes, isText) -> own.test(new ReceivedMessage(bytes, isText));
    }

    private static Test test(Expectation.Matcher matcher, Slots slots) {
        if (matcher instanceof Expectation.TextIs is) {
            CompiledTemplate text = text(is.text(), slots);
            return session -> {
                String wanted = text.value(session);
                return message -> message.isText() && message.text().equals(wanted);
            };
        }
        if (matcher instanceof Expectation.TextContains contains) {
            CompiledTemplate part = text(contains.part(), slots);
            return session -> {
                String wanted = part.value(session);
                return message -> message.isText() && message.text().contains(wanted);
            };
        }
        if (matcher instanceof Expectation.TextMatches matches) {
            Pattern pattern = Pattern.compile(matches.expression());
            return session -> message -> message.isText() && isIn(pattern, message.text());
        }
        if (matcher instanceof Expectation.JsonHas has) {
            return json(has.values(), slots);
        }
        if (matcher instanceof Expectation.BytesAre are) {
            CompiledTemplate hex = text(are.hex(), slots);
            return session -> {
                byte[] wanted = hex.bytes(session);
                return message -> !message.isText() && Arrays.equals(message.bytes(), wanted);
            };
        }
        return session -> message -> true;
    }

    private static CompiledTemplate text(String template, Slots slots) {
        return CompiledTemplate.plain(Template.parse(template), slots);
    }

    /** One that goes back for ever is given up. */
    private static boolean isIn(Pattern pattern, String text) {
        try {
            return pattern.matcher(new BoundedText(text)).find();
        } catch (BoundedText.TooLong | StackOverflowError endless) {
            return false;
        }
    }

    private static Test json(Map<String, String> templates, Slots slots) {
        List<WantedValue> values = new ArrayList<>();
        templates.forEach((pointer, of) -> values.add(new WantedValue(pointer, text(of, slots))));
        return session -> {
            List<String> wanted =
                    values.stream().map(value -> value.text().value(session)).toList();
            return message -> {
                for (int i = 0; i < values.size(); i++) {
                    String pointer = values.get(i).pointer();
                    if (!JsonValues.at(pointer, message.bytes()).contains(wanted.get(i))) {
                        return false;
                    }
                }
                return true;
            };
        };
    }
}
