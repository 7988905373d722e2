package io.phaseload.plan;

import io.phaseload.input.Args;
import io.phaseload.input.AsciiUri;
import io.phaseload.input.Secrets;
import io.phaseload.options.ValueException;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.journey.Template;
import io.phaseload.plan.stream.EventStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One named request of an iteration. In a {@link Journey} its path, the values of its headers, a body of text and the
 * texts of its checks are templates.
 *
 * @param name unique in its scenario; the name that reports show, such as {@code GET /}
 * @param method an HTTP method in capitals
 * @param path relative to the target, beginning with a slash, percent-encoded, with its query if any; non-ASCII
 *     characters are percent-encoded as UTF-8; {@code /} alone is the target's URI itself
 * @param headers sent after the target's headers; they replace those of the same name
 * @param body sent with its length; empty for none
 * @param checks if one doesn't hold, the request counts as failed
 * @param metrics numbers to read from the body of each success; names are unique
 * @param events the reading of its response if that is a stream of server-sent events; empty for a response that is
 *     waited for as a whole
 */
public record Operation(
        String name,
        String method,
        String path,
        List<Header> headers,
        Optional<Body> body,
        List<Check> checks,
        List<Metric> metrics,
        Optional<EventStream> events) {

    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");
    private static final String PATH_PUNCTUATION = "!$&'()*+,;=:@/?._~[]|-";

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public Operation {
        Args.notBlank("operation name", name);
        if (!METHOD.matcher(method).matches() || method.equals("CONNECT")) {
            throw new ValueException("method '%s'".formatted(method), "an HTTP method such as GET or POST");
        }
        path = AsciiUri.percentEncoded(path);
        if (!isPath(path.indexOf('{') < 0 ? path : Template.parse(path).withValues("x"))) {
            throw noPath(path);
        }
        headers = List.copyOf(headers);
        checks = List.copyOf(checks);
        metrics = List.copyOf(metrics);
        if (metrics.stream().map(Metric::name).distinct().count() < metrics.size()) {
            throw new ValueException("metrics " + metrics, "unique names");
        }
    }

    private static IllegalArgumentException noPath(String path) {
        return new ValueException("path '%s'".formatted(path), "a path that begins with / and is percent-encoded");
    }

    /**
     * Checks an operation that is the same each time, of whose path no brace is a part.
     *
     * @throws IllegalArgumentException naming its path
     */
    Operation fixed() {
        if (!isPath(path)) {
            throw noPath(path);
        }
        return this;
    }

    /** As a step of a journey, with no values in it. */
    Operation literal() {
        return new Operation(
                name,
                method,
                Template.quoted(path),
                headers.stream().map(Header::literal).toList(),
                body.map(own ->
                        own.text().map(Template::quoted).map(Body::ofText).orElse(own)),
                checks.stream().map(Operation::literal).toList(),
                metrics,
                events);
    }

    private static Check literal(Check check) {
        return check.template().map(Template::quoted).map(check::withTemplate).orElse(check);
    }

    /**
     * Texts that differ by user and iteration, in a journey.
     *
     * @return the templates of path, headers, body and checks
     * @throws IllegalArgumentException if one can't be read, or the text of a check takes a value that is another one
     *     each time
     */
    public List<Template> templates() {
        List<Template> templates = new ArrayList<>(List.of(Template.parse(path)));
        headers.forEach(header -> templates.add(Template.parse(header.value())));
        body.flatMap(Body::text).map(Template::parse).ifPresent(templates::add);
        checks.forEach(check -> template(check).ifPresent(templates::add));
        return templates;
    }

    private static Optional<Template> template(Check check) {
        Optional<Template> template = check.template().map(Template::parse);
        template.flatMap(Template::changing).ifPresent(value -> {
            throw new ValueException("check " + check, "no %s, which is another one each time".formatted(value));
        });
        return template;
    }

    /**
     * The names that operations have in results.
     *
     * @param operations of a plan
     * @return in order, unique, without secrets
     */
    public static List<String> namesInResult(List<Operation> operations) {
        return Secrets.redactNames(operations.stream().map(Operation::name).toList());
    }

    /** Not by a regular expression, whose recursion would overflow the stack on a long path. */
    private static boolean isPath(String path) {
        if (!path.startsWith("/")) {
            return false;
        }
        for (int i = 0; i < path.length(); i++) {
            char character = path.charAt(i);
            if (character == '%') {
                if (!isHexDigit(path, i + 1) || !isHexDigit(path, i + 2)) {
                    return false;
                }
            } else if (!isLetterOrDigit(character) && PATH_PUNCTUATION.indexOf(character) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHexDigit(String path, int index) {
        return index < path.length() && Character.digit(path.charAt(index), 16) >= 0;
    }

    private static boolean isLetterOrDigit(char character) {
        return character >= 'a' && character <= 'z'
                || character >= 'A' && character <= 'Z'
                || character >= '0' && character <= '9';
    }

    /**
     * A request without metrics, whose response is waited for as a whole.
     *
     * @throws IllegalArgumentException as the canonical constructor does
     */
    public Operation(
            String name, String method, String path, List<Header> headers, Optional<Body> body, List<Check> checks) {
        this(name, method, path, headers, body, checks, List.of(), Optional.empty());
    }

    /**
     * A request without a body, named after its method and path.
     *
     * @param method an HTTP method, in any case
     * @param path see {@link #path()}
     * @throws IllegalArgumentException as the constructor does
     */
    public static Operation of(String method, String path) {
        String verb = method.toUpperCase(Locale.ROOT);
        return new Operation(verb + " " + path, verb, path, List.of(), Optional.empty(), List.of());
    }

    /**
     * {@code GET path}.
     *
     * @throws IllegalArgumentException as the constructor does
     */
    public static Operation get(String path) {
        return of("GET", path);
    }

    /**
     * {@code POST path} with a body.
     *
     * @param path see {@link #path()}
     * @param body the text to send
     * @throws IllegalArgumentException as the constructor does
     */
    public static Operation post(String path, Body body) {
        return of("POST", path).withBody(body);
    }

    /**
     * This operation with another name.
     *
     * @return a copy
     * @throws IllegalArgumentException if the name is blank
     */
    public Operation named(String newName) {
        return new Operation(newName, method, path, headers, body, checks, metrics, events);
    }

    /**
     * This operation with a body.
     *
     * @return a copy
     */
    public Operation withBody(Body newBody) {
        return new Operation(name, method, path, headers, Optional.of(newBody), checks, metrics, events);
    }

    /**
     * This operation with headers in place of its own.
     *
     * @return a copy
     */
    Operation withHeaders(List<Header> newHeaders) {
        return new Operation(name, method, path, newHeaders, body, checks, metrics, events);
    }

    /**
     * This operation with checks in place of its own.
     *
     * @param newChecks all must hold
     * @return a copy
     */
    public Operation withChecks(Check... newChecks) {
        return new Operation(name, method, path, headers, body, List.of(newChecks), metrics, events);
    }

    /**
     * This operation with metrics in place of its own.
     *
     * @param newMetrics taken from the body of each success
     * @return a copy
     * @throws IllegalArgumentException if two have the same name
     */
    public Operation withMetrics(Metric... newMetrics) {
        return new Operation(name, method, path, headers, body, checks, List.of(newMetrics), events);
    }

    /**
     * This operation with a response that is a stream of events.
     *
     * @param newEvents the reading of it
     * @return a copy
     */
    public Operation withEvents(EventStream newEvents) {
        return new Operation(name, method, path, headers, body, checks, metrics, Optional.of(newEvents));
    }
}
