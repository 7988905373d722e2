package io.phaseload.cli.run;

import io.phaseload.options.UsageException;
import io.phaseload.settings.Given;
import io.phaseload.settings.Origin;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a file of requests: an address or a path a line, or targets as vegeta has them, with headers and {@code @FILE}
 * on the lines behind. A number in front is a weight.
 */
final class RequestList {

    /** Each has figures of its own. */
    private static final int MOST = 1_000;

    private static final Pattern REQUEST =
            Pattern.compile("(?:([0-9]{1,9})\\s+)?(?:([A-Za-z]{1,20})\\s+)?(https?://[^/?#\\s]+)?([/?]\\S*)?");

    private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):\\s*(.*)");

    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private final String name;
    private final List<FileReader> requests = new ArrayList<>();
    private Optional<String> host = Optional.empty();

    /** One of the file; its headers and its body follow its line. */
    private static final class FileReader {

        private final Origin origin;
        private final Optional<String> weight;
        private final String method;
        private final String path;
        private final Map<String, Given> headers = new LinkedHashMap<>();
        private Optional<Given> body = Optional.empty();

        FileReader(Origin origin, Optional<String> weight, String method, String path) {
            this.origin = origin;
            this.weight = weight;
            this.method = method;
            this.path = path;
        }

        /** As a plan's file has it. */
        Given document() {
            Map<String, Given> parts = new LinkedHashMap<>();
            parts.put("method", text(method));
            parts.put("path", text(path));
            weight.ifPresent(number -> parts.put("weight", text(number)));
            if (!headers.isEmpty()) {
                parts.put("headers", Given.object(headers, origin));
            }
            if (body.isEmpty() && WITH_BODY.contains(method)) {
                body = Optional.of(Given.bytes(new byte[0], "", origin));
            }
            body.ifPresent(content -> parts.put("body", content));
            return Given.object(parts, origin);
        }

        private Given text(String text) {
            return Given.text(Setting.OPERATIONS, text, origin);
        }
    }

    private RequestList(String name) {
        this.name = name;
    }

    /**
     * The settings of a file.
     *
     * @param name of the file
     * @param content of it
     * @param given the settings beside it
     * @return these with its requests, and with its address unless they have one
     * @throws UsageException naming the line that can't be read
     */
    static Settings read(String name, byte[] content, Settings given) {
        RequestList file = new RequestList(name);
        String[] lines = new String(content, StandardCharsets.UTF_8).split("\\R", -1);
        for (int i = 0; i < lines.length; i++) {
            file.add(lines[i].strip(), new Origin.Option(name + ":" + (i + 1)));
        }
        return file.settings(given);
    }

    private void add(String line, Origin origin) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        Matcher header = HEADER.matcher(line);
        Matcher request = REQUEST.matcher(line);
        if (request.matches() && (request.group(3) != null || request.group(4) != null)) {
            add(request, line, origin);
        } else if (requests.isEmpty()) {
            throw wrong(origin, line, "expected an address, or a method and an address");
        } else if (line.startsWith("@")) {
            last().body = Optional.of(body(line, origin));
        } else if (header.matches()) {
            last().headers.put(header.group(1), Given.text(Setting.OPERATIONS, header.group(2), origin));
        } else {
            throw wrong(origin, line, "expected an address, a header 'Name: value', or @FILE");
        }
    }

    private void add(Matcher request, String line, Origin origin) {
        String address = request.group(3);
        if (address != null) {
            if (host.isPresent() && !host.get().equalsIgnoreCase(address)) {
                throw wrong(origin, line, "expected " + host.get() + ", as before: a run has one");
            }
            host = Optional.of(address);
        }
        String path = Optional.ofNullable(request.group(4)).orElse("/");
        String method = Optional.ofNullable(request.group(2)).orElse("GET");
        requests.add(new FileReader(
                origin, Optional.ofNullable(request.group(1)), method, path.startsWith("?") ? "/" + path : path));
        if (requests.size() > MOST) {
            throw wrong(
                    origin,
                    line,
                    "expected at most %,d requests; data of a plan's scenarios may have more".formatted(MOST));
        }
    }

    private FileReader last() {
        return requests.get(requests.size() - 1);
    }

    private static UsageException wrong(Origin origin, String line, String expected) {
        return new UsageException(origin.named(Optional.of(line)) + ": " + expected);
    }

    private static Given body(String line, Origin origin) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of(line.substring(1)));
            return Given.bytes(bytes, line, origin);
        } catch (IOException | InvalidPathException e) {
            throw wrong(origin, line, "expected a readable file");
        }
    }

    private Settings settings(Settings given) {
        UsageException.throwIf(requests.isEmpty(), "--requests %s: expected at least one request", name);
        boolean addressed = given.has(Setting.URL) || given.has(Setting.TARGET);
        UsageException.throwIf(
                addressed && host.isPresent(), "--requests %s: expected paths such as /items beside --url", name);
        Settings all = given;
        if (host.isPresent()) {
            Origin first = requests.get(0).origin;
            all = all.with(Setting.URL, Given.text(Setting.URL, host.get() + "/", first));
        }
        for (FileReader request : requests) {
            all = all.with(Setting.OPERATIONS, request.document());
        }
        return all;
    }
}
