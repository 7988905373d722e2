package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.journey.Condition;
import io.phaseload.plan.journey.Expectation;
import io.phaseload.plan.journey.Extraction;
import io.phaseload.plan.journey.SessionValues;
import io.phaseload.plan.journey.SocketAction;
import io.phaseload.plan.journey.Template;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The steps of a {@link Journey}, one after another. */
public sealed interface Step {

    /** {@return the steps within this one, in order; none of a request or a pause} */
    default List<Step> steps() {
        return List.of();
    }

    /** One that results have figures of: a request, or what is done with a WebSocket. */
    sealed interface Measured extends Step {

        /**
         * Its name in results.
         *
         * @return its name is unique there, where it gets a number if it isn't here
         */
        Operation operation();

        /**
         * The values extracted from the response, or the message.
         *
         * @return names are unique
         */
        List<Extraction> extractions();

        /**
         * The action if it fails, or a value is missing.
         *
         * @return never {@code null}
         */
        OnFailure onFailure();

        /**
         * Texts that differ by user and iteration.
         *
         * @return all of its templates
         * @throws IllegalArgumentException if one can't be read
         */
        List<Template> templates();

        /** {@return the moments from which its metrics count, which may be values that it takes itself} */
        default List<Template> moments() {
            return operation().metrics().stream()
                    .flatMap(metric -> metric.moment().stream())
                    .map(Template::parse)
                    .toList();
        }
    }

    /**
     * A request.
     *
     * @param operation path, values of headers and a body of text are {@linkplain io.phaseload.plan.journey.Template
     *     templates}; its name is unique in results, where it gets a number if it isn't here
     * @param extractions taken from a response whose checks hold
     * @param onFailure the action if the request fails, or a value is missing
     */
    record Request(Operation operation, List<Extraction> extractions, OnFailure onFailure) implements Measured {

        /**
         * Copies the extractions.
         *
         * @throws IllegalArgumentException if two have the same name
         */
        public Request {
            extractions = unique(operation, extractions);
        }

        @Override
        public List<Template> templates() {
            return operation.templates();
        }

        /**
         * This step with a value to take from its response.
         *
         * @param name see {@link Extraction#name()}
         * @param from see {@link Extraction#of}
         * @return a copy
         * @throws IllegalArgumentException if it is none, or there is one of the name
         */
        public Request extract(String name, String from) {
            return extract(Extraction.of(name, from));
        }

        /**
         * This step with a value to take from its response.
         *
         * @param extraction one more
         * @return a copy
         * @throws IllegalArgumentException if there is one of its name
         */
        public Request extract(Extraction extraction) {
            return new Request(operation, with(extractions, extraction), onFailure);
        }

        /**
         * This step with checks in place of its own.
         *
         * @param checks such as {@code status=200 body~'welcome'}
         * @return a copy
         * @throws IllegalArgumentException if they can't be read
         */
        public Request expect(String checks) {
            Operation checked = operation.withChecks(Check.parse(checks).toArray(Check[]::new));
            return new Request(checked, extractions, onFailure);
        }

        /**
         * This step with a header.
         *
         * @param name a token
         * @param value a template
         * @return a copy
         * @throws IllegalArgumentException as {@link Header} does
         */
        public Request header(String name, String value) {
            return new Request(withHeader(operation, name, value), extractions, onFailure);
        }

        /**
         * This step, whose failure doesn't end the journey.
         *
         * @return a copy
         */
        public Request continueOnFailure() {
            return onFailure(OnFailure.CONTINUE);
        }

        /**
         * This step with another consequence of its failure.
         *
         * @param next see {@link #onFailure()}
         * @return a copy
         */
        public Request onFailure(OnFailure next) {
            return new Request(operation, extractions, next);
        }
    }

    /**
     * The WebSocket of a user, which stays open until the journey's end.
     *
     * @param operation of {@link SocketAction.Connect} path and headers, which are templates; of the others its name
     *     alone
     * @param action the action
     * @param extractions taken from the message of {@link SocketAction.Expect}; no others have any
     * @param onFailure the action if it fails, or a value is missing; it isn't repeated
     */
    record Socket(Operation operation, SocketAction action, List<Extraction> extractions, OnFailure onFailure)
            implements Measured {

        /**
         * Checks what is taken, and what follows.
         *
         * @throws IllegalArgumentException if two have the same name, or if there is no message, or a message has none
         *     of what is to be taken, or if it is to be done again
         */
        public Socket {
            extractions = unique(operation, extractions);
            if (onFailure.retries() > 0) {
                throw new ValueException("onFailure", "end or continue with " + action.word());
            }
            boolean message = action instanceof SocketAction.Expect;
            for (Extraction extraction : extractions) {
                if (!message || extraction.ofHead()) {
                    throw new ValueException(
                            "extract " + extraction.name(),
                            message
                                    ? "a part of the message: it has no header"
                                    : "it with expect, which has a message");
                }
            }
            if (!message && !operation.metrics().isEmpty()) {
                throw new IllegalArgumentException("metrics cannot be combined with " + action.word());
            }
        }

        @Override
        public List<Template> templates() {
            return Stream.concat(operation.templates().stream(), action.templates().stream())
                    .toList();
        }

        /**
         * This step with a value to take from its message.
         *
         * @param name see {@link Extraction#name()}
         * @param from see {@link Extraction#of}
         * @return a copy
         * @throws IllegalArgumentException if it is none, or there is one of the name
         */
        public Socket extract(String name, String from) {
            return new Socket(operation, action, with(extractions, Extraction.of(name, from)), onFailure);
        }

        /**
         * This step with numbers to record of its message.
         *
         * @param metrics see {@link Metric}
         * @return a copy
         * @throws IllegalArgumentException if two have the same name, or if there is no message
         */
        public Socket metrics(Metric... metrics) {
            return new Socket(operation.withMetrics(metrics), action, extractions, onFailure);
        }

        /**
         * This step with an answer to messages of the server, such as its pings, that no step expects.
         *
         * @param to see {@link SocketAction.Answer#to()}
         * @param with see {@link SocketAction.Answer#with()}
         * @return a copy
         * @throws IllegalArgumentException if the step isn't {@link Step#connect}
         */
        public Socket answer(Expectation.Matcher to, SocketAction with) {
            if (!(action instanceof SocketAction.Connect connect)) {
                throw new IllegalArgumentException("answers cannot be combined with " + action.word());
            }
            List<SocketAction.Answer> more = with(connect.answers(), new SocketAction.Answer(to, with));
            return new Socket(
                    operation, new SocketAction.Connect(connect.subprotocols(), more), extractions, onFailure);
        }

        /**
         * This step with a header of its handshake.
         *
         * @param name a token
         * @param value a template
         * @return a copy
         * @throws IllegalArgumentException as {@link Header} does
         */
        public Socket header(String name, String value) {
            return new Socket(withHeader(operation, name, value), action, extractions, onFailure);
        }

        /**
         * This step with another name in results.
         *
         * @param name see {@link Operation#name()}
         * @return a copy
         * @throws IllegalArgumentException if it is blank
         */
        public Socket named(String name) {
            return new Socket(operation.named(name), action, extractions, onFailure);
        }

        /**
         * This step with another consequence of its failure.
         *
         * @param next see {@link #onFailure()}
         * @return a copy
         */
        public Socket onFailure(OnFailure next) {
            return new Socket(operation, action, extractions, next);
        }
    }

    private static <T> List<T> with(List<T> some, T more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }

    private static Operation withHeader(Operation operation, String name, String value) {
        return operation.withHeaders(with(operation.headers(), new Header(name, value)));
    }

    private static List<Extraction> unique(Operation operation, List<Extraction> extractions) {
        if (extractions.stream().map(Extraction::name).distinct().count() < extractions.size()) {
            throw new ValueException("extract", "names that are unique in step " + operation.name());
        }
        return List.copyOf(extractions);
    }

    /**
     * The action after a failed request or a missing value.
     *
     * @param retries the most retries until it succeeds: 0 to 100
     * @param after the pause before each of these; 0 for none
     * @param ends true if the journey ends if it still fails
     */
    record OnFailure(int retries, Pause after, boolean ends) {

        /** The journey ends. */
        public static final OnFailure END = new OnFailure(0, Pause.NONE, true);

        /** The journey goes on. */
        public static final OnFailure CONTINUE = new OnFailure(0, Pause.NONE, false);

        /** It is sent again at once, three times at most; then the journey ends. */
        public static final OnFailure RETRY = new OnFailure(3, Pause.NONE, true);

        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is out of range
         */
        public OnFailure {
            Args.range("retry", retries, 0, 100);
        }
    }

    /**
     * A pause before the next request.
     *
     * @param pause the time
     */
    record Think(Pause pause) implements Step {}

    /**
     * Steps that are timed as a whole, from when the first request of them is due to the end of the last one.
     *
     * @param name unique in its journey
     * @param steps at least one
     */
    record Group(String name, @Override List<Step> steps) implements Step {

        /**
         * Checks both.
         *
         * @throws IllegalArgumentException if the name is blank, or there are no steps
         */
        public Group {
            Args.notBlank("group", name);
            steps = Args.notEmpty("steps", steps);
        }
    }

    /**
     * Steps that are done several times.
     *
     * @param times 1 to 1,000,000
     * @param steps at least one
     */
    record Repeat(int times, @Override List<Step> steps) implements Step {

        /**
         * Checks both.
         *
         * @throws IllegalArgumentException if the number is out of range, or there are no steps
         */
        public Repeat {
            Args.range("repeat", times, 1, 1_000_000);
            steps = Args.notEmpty("steps", steps);
        }
    }

    /**
     * Steps that are done if a condition holds.
     *
     * @param condition asked when the step before is over
     * @param steps at least one
     */
    record When(Condition condition, @Override List<Step> steps) implements Step {

        /**
         * Checks the steps.
         *
         * @throws IllegalArgumentException if there are none
         */
        public When {
            steps = Args.notEmpty("steps", steps);
        }
    }

    /**
     * Java code between requests, which a plan's file can't have. It takes no part of any time that is measured but the
     * journey's, and must not wait: on event loops all users of a loop wait with it, which the finding of late loops
     * reports. An exception ends the run, as its fault.
     *
     * @param name for messages; not blank
     * @param sets the names of values that it may set
     * @param action called by any user's thread, so it must be thread-safe
     */
    record Code(String name, List<String> sets, Consumer<SessionValues> action) implements Step {

        /**
         * Checks the names.
         *
         * @throws IllegalArgumentException if the name is blank, or templates can't take one of the others
         */
        public Code {
            Args.notBlank("code", name);
            sets = List.copyOf(sets);
            sets.forEach(Template::checkName);
        }
    }

    /**
     * Java code between requests.
     *
     * @param name see {@link Code#name()}
     * @param action see {@link Code#action()}
     * @param sets see {@link Code#sets()}
     * @throws IllegalArgumentException as {@link Code} does
     */
    static Code code(String name, Consumer<SessionValues> action, String... sets) {
        return new Code(name, List.of(sets), action);
    }

    /**
     * {@code GET path}.
     *
     * @param path a template
     * @throws IllegalArgumentException as {@link Operation} does
     */
    static Request get(String path) {
        return of(Operation.get(path));
    }

    /**
     * {@code POST path} with a body.
     *
     * @param path a template
     * @param body of text, which is a template
     * @throws IllegalArgumentException as {@link Operation} does
     */
    static Request post(String path, Body body) {
        return of(Operation.post(path, body));
    }

    /**
     * A request whose failure ends the journey.
     *
     * @param operation see {@link Request#operation()}
     */
    static Request of(Operation operation) {
        return new Request(operation, List.of(), OnFailure.END);
    }

    /**
     * Opens a WebSocket.
     *
     * @param path of the target; a template
     * @param subprotocols see {@link SocketAction.Connect#subprotocols()}
     * @throws IllegalArgumentException if it can't be a path, or they aren't tokens
     */
    static Socket connect(String path, String... subprotocols) {
        Operation operation = Operation.get(path).named("connect " + path);
        return of(operation, new SocketAction.Connect(List.of(subprotocols), List.of()));
    }

    /**
     * Something else with the WebSocket, named after what it is.
     *
     * @param action not to open it, which {@link #connect} does
     */
    static Socket socket(SocketAction action) {
        return of(Operation.get("/").named(action.word()), action);
    }

    private static Socket of(Operation operation, SocketAction action) {
        return new Socket(operation, action, List.of(), OnFailure.END);
    }

    /**
     * Sends a message of text.
     *
     * @param text a template
     */
    static Socket send(String text) {
        return socket(new SocketAction.SendText(text));
    }

    /**
     * Waits for a message.
     *
     * @param message its condition, and the longest wait
     */
    static Socket expect(Expectation message) {
        return socket(new SocketAction.Expect(message));
    }

    /**
     * A pause.
     *
     * @param length more than 0
     * @throws IllegalArgumentException if it is out of range
     */
    static Think think(Duration length) {
        return new Think(Pause.of(length));
    }
}
