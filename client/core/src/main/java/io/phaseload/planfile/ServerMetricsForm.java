package io.phaseload.planfile;

import io.phaseload.input.Secrets;
import io.phaseload.plan.metrics.ServerMetrics;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The pages of servers' own figures, and the chosen metrics, as a document. */
final class ServerMetricsForm {

    /** How an address begins that has a server's name before it. */
    private static final Pattern NAMED = Pattern.compile("[^:/=?]*=");

    private ServerMetricsForm() {}

    /** The servers of settings; empty if they have none. */
    static Optional<ServerMetrics> read(Settings settings, HeaderForm headers) {
        List<Given> addresses = settings.all("serverMetrics.url");
        Map<String, ServerMetrics.Choice> choices = new LinkedHashMap<>();
        for (Given given : settings.all("serverMetrics.metrics")) {
            Map.Entry<String, String> entry = given.entry('=', Setting.expected("serverMetrics.metrics"));
            ServerMetrics.Choice choice = given.read(
                    text -> ServerMetrics.Choice.parse(entry.getValue()), Setting.expected("serverMetrics.metrics"));
            // Checks the name, too, so that the message is about this choice.
            given.read(
                    text -> new ServerMetrics(URI.create("/"), Map.of(entry.getKey(), choice)),
                    Setting.expected("serverMetrics.metrics"));
            if (choices.put(entry.getKey(), choice) != null) {
                throw given.wrong("expected a name other than " + entry.getKey());
            }
        }
        Map<String, URI> pages = new LinkedHashMap<>();
        for (Given given : addresses) {
            Map.Entry<String, String> page = page(given);
            headers.checkSecret(given, page.getValue());
            if (pages.containsKey(page.getKey())) {
                throw given.wrong(
                        page.getKey().isEmpty()
                                ? "expected a name for each of several servers: name=address"
                                : "expected a name other than " + page.getKey());
            }
            // Has each checked alone, so that what is wrong with it is said of it.
            given.read(
                    text -> new ServerMetrics(Map.of(page.getKey(), URI.create(page.getValue())), choices),
                    Setting.expected("serverMetrics.url"));
            pages.put(page.getKey(), URI.create(page.getValue()));
        }
        if (pages.size() > 1 && pages.containsKey("")) {
            throw addresses
                    .get(List.copyOf(pages.keySet()).indexOf(""))
                    .wrong("expected a name for each of several servers: name=address");
        }
        return pages.isEmpty() ? Optional.empty() : Optional.of(new ServerMetrics(pages, choices));
    }

    /** A server's name, which may be empty, and its address. */
    private static Map.Entry<String, String> page(Given given) {
        boolean named = given.isObject() || NAMED.matcher(given.text()).lookingAt();
        return named ? given.entry('=', Setting.expected("serverMetrics.url")) : Map.entry("", given.text());
    }

    static ObjectNode write(ServerMetrics metrics, boolean secrets) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        metrics.pages().forEach((server, page) -> {
            String address = secrets ? page.toString() : Secrets.redactQuery(page.toString());
            if (server.isEmpty()) {
                json.put("url", address);
            } else {
                json.withObject("url").put(server, address);
            }
        });
        metrics.choices().forEach((name, choice) -> json.withObject("metrics").put(name, choice.toString()));
        return json;
    }
}
