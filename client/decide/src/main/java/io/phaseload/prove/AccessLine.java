package io.phaseload.prove;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request in an access log.
 *
 * @param at the time that the line has; empty if it has none
 * @param method in capitals
 * @param path with its query
 * @param status of the response
 * @param span the id of its span, if the log has the header {@code traceparent}
 */
public record AccessLine(Optional<Instant> at, String method, String path, int status, Optional<String> span) {

    /** The common and the combined format of nginx, Apache and Tomcat, whatever follows. */
    private static final Pattern COMMON =
            Pattern.compile("\\S+ \\S+ .*?\\[([^\\]]+)\\] \"([A-Z]+) (\\S+)(?: [^\"]*)?\" (\\d{3})(?: .*)?");

    private static final DateTimeFormatter COMMON_TIME =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss[.SSS] Z", Locale.ROOT);

    private static final Pattern REQUEST = Pattern.compile("([A-Z]+) (\\S+)(?: .*)?");

    private static final Pattern TRACE = Pattern.compile("00-[0-9a-f]{32}-([0-9a-f]{16})-[0-9a-f]{2}");

    private static final List<String> STATUS = List.of("status", "statusCode", "status_code", "code");
    private static final List<String> METHOD = List.of("method", "request_method", "requestMethod");
    private static final List<String> PATH = List.of("request_uri", "uri", "requestURI", "path", "url");
    private static final List<String> TIME =
            List.of("time", "time_iso8601", "timestamp", "@timestamp", "time_local", "ts", "msec");

    /**
     * Reads a line.
     *
     * @param line in the common or combined format, or an object of JSON with names that servers have by default
     * @return empty if it isn't a request in one of these formats
     */
    public static Optional<AccessLine> parse(String line) {
        if (line.startsWith("{")) {
            return json(line);
        }
        Matcher matcher = COMMON.matcher(line);
        return matcher.matches()
                ? Optional.of(new AccessLine(
                        time(matcher.group(1)),
                        matcher.group(2),
                        matcher.group(3),
                        Integer.parseInt(matcher.group(4)),
                        span(line)))
                : Optional.empty();
    }

    private static Optional<String> span(String line) {
        Matcher matcher = TRACE.matcher(line);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static Optional<AccessLine> json(String line) {
        try {
            JsonNode json = JsonMapper.shared().readTree(line);
            // Caddy and others have an object for the request, Tomcat and nginx its first line.
            JsonNode request = json.path("request");
            JsonNode from = request.isObject() ? request : json;
            Matcher first = REQUEST.matcher(request.asString(""));
            boolean whole = first.matches();
            Optional<String> method = whole ? Optional.of(first.group(1)) : text(from, METHOD);
            Optional<String> path = whole ? Optional.of(first.group(2)) : text(from, PATH);
            int status = text(json, STATUS).map(Integer::valueOf).orElse(0);
            return method.isEmpty() || path.isEmpty() || status == 0
                    ? Optional.empty()
                    : Optional.of(new AccessLine(
                            text(json, TIME).flatMap(AccessLine::time), method.get(), path.get(), status, span(line)));
        } catch (JacksonException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(JsonNode json, List<String> names) {
        return names.stream()
                .map(json::path)
                .filter(node -> node.isString() || node.isNumber())
                .map(JsonNode::asString)
                .findFirst();
    }

    private static Optional<Instant> time(String text) {
        try {
            if (text.matches("[\\d.]+(E\\d+)?")) {
                // Seconds, or milliseconds where that would be after the year 2286.
                double number = Double.parseDouble(text);
                return Optional.of(Instant.ofEpochMilli(Math.round(number < 1e10 ? number * 1e3 : number)));
            }
            return Optional.of(OffsetDateTime.parse(
                            text.startsWith("[") ? text.substring(1, text.length() - 1) : text,
                            text.contains("/") ? COMMON_TIME : DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
