package io.phaseload.plan.journey;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The action of a step on the WebSocket of its user, which has one at a time. */
public sealed interface SocketAction {

    /**
     * The step's name, if it has none of its own.
     *
     * @return one word
     */
    String word();

    /**
     * Texts that differ by user and iteration.
     *
     * @return none of an action that is the same for all
     * @throws IllegalArgumentException if one can't be read
     */
    default List<Template> templates() {
        return List.of();
    }

    /**
     * A time as people write it.
     *
     * @param time any
     * @return such as {@code 2s} or {@code 250ms}
     */
    static String text(Duration time) {
        boolean seconds = time.toNanosPart() == 0;
        BigDecimal number = BigDecimal.valueOf(time.toNanos(), seconds ? 9 : 6);
        return number.stripTrailingZeros().toPlainString() + (seconds ? "s" : "ms");
    }

    /** Checks the digits beside values; those of the values are only known when it is sent. */
    static void checkHex(String hex) {
        Template template = Template.parse(hex);
        String digits = template.withValues("");
        HexFormat.of().parseHex(template.isLiteral() || digits.length() % 2 == 0 ? digits : digits + "0");
    }

    /**
     * Opens it, in the place of one that is open.
     *
     * @param subprotocols the requested subprotocols, in order of preference
     * @param answers to messages of the server, such as its pings, at any time while it is open
     */
    record Connect(List<String> subprotocols, List<Answer> answers) implements SocketAction {

        /**
         * Checks the names.
         *
         * @throws IllegalArgumentException naming one that isn't one
         */
        public Connect {
            subprotocols = List.copyOf(subprotocols);
            answers = List.copyOf(answers);
            for (String name : subprotocols) {
                if (!Extraction.TOKEN.matcher(name).matches()) {
                    throw new ValueException("subprotocol '%s'".formatted(name), "a token");
                }
            }
        }

        @Override
        public String word() {
            return "connect";
        }

        @Override
        public List<Template> templates() {
            return answers.stream()
                    .flatMap(answer ->
                            Stream.concat(answer.to().templates().stream(), answer.with().templates().stream()))
                    .toList();
        }
    }

    /**
     * The answer to a message that no step expects, with the values that the session has when it connects.
     *
     * @param to the messages; they are none of those that a step expects
     * @param with a {@link SendText} or a {@link SendBytes}
     */
    record Answer(Expectation.Matcher to, SocketAction with) {

        /**
         * Checks the answer.
         *
         * @throws IllegalArgumentException if it isn't a message
         */
        public Answer {
            if (!with.word().equals("send")) {
                throw new ValueException("with", "a message");
            }
        }
    }

    /**
     * Sends a message of text.
     *
     * @param text a template
     */
    record SendText(String text) implements SocketAction {
        @Override
        public String word() {
            return "send";
        }

        @Override
        public List<Template> templates() {
            return List.of(Template.parse(text));
        }
    }

    /**
     * Sends a message of bytes.
     *
     * @param hex a template of two hexadecimal digits each
     */
    record SendBytes(String hex) implements SocketAction {

        /**
         * Checks the digits.
         *
         * @throws IllegalArgumentException if they aren't such
         */
        public SendBytes {
            checkHex(hex);
        }

        @Override
        public List<Template> templates() {
            return List.of(Template.parse(hex));
        }

        @Override
        public String word() {
            return "send";
        }
    }

    /**
     * Waits for a message, of those since the last one that was expected.
     *
     * @param expectation the expectation
     */
    record Expect(Expectation expectation) implements SocketAction {
        @Override
        public String word() {
            return "expect";
        }

        @Override
        public List<Template> templates() {
            return expectation.message().templates();
        }
    }

    /**
     * Sends a ping, and waits for its answer.
     *
     * @param within the longest wait
     */
    record Ping(Duration within) implements SocketAction {

        /**
         * Checks the time.
         *
         * @throws IllegalArgumentException if it isn't more than 0
         */
        public Ping {
            Args.positive("ping", within);
        }

        @Override
        public String word() {
            return "ping";
        }
    }

    /**
     * Closes it, and waits until the server has.
     *
     * @param code one that clients may send (RFC 6455 §7.4): 1000 to 1003, 1007 to 1014, or 3000 to 4999
     */
    record Close(int code) implements SocketAction {

        /**
         * Checks the code.
         *
         * @throws IllegalArgumentException if it isn't one
         */
        public Close {
            boolean ofProtocol = code >= 1000 && code <= 1003 || code >= 1007 && code <= 1014;
            if (!ofProtocol && (code < 3000 || code > 4999)) {
                throw new ValueException("close %d".formatted(code), "1000 to 1003, 1007 to 1014, or 3000 to 4999");
            }
        }

        @Override
        public String word() {
            return "close";
        }
    }
}
