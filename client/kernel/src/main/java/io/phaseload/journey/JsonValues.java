package io.phaseload.journey;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The values of a JSON document that a pointer leads to, in which {@code *} stands for each. */
final class JsonValues {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private JsonValues() {}

    /** Whether there may be several. */
    static boolean isOfSeveral(String pointer) {
        return (pointer + "/").contains("/*/");
    }

    /**
     * Finds them.
     *
     * @return in the document's order; none if it isn't JSON
     */
    static List<String> at(String pointer, byte[] body) {
        return nodes(pointer, body).stream()
                .map(node -> node.isContainer() ? node.toString() : node.asString())
                .toList();
    }

    /** Whether the first of them is a text. */
    static boolean isText(String pointer, byte[] body) {
        return nodes(pointer, body).stream()
                .findFirst()
                .filter(JsonNode::isString)
                .isPresent();
    }

    private static List<JsonNode> nodes(String pointer, byte[] body) {
        List<JsonNode> nodes = new ArrayList<>();
        try {
            nodes.add(JSON.readTree(body));
        } catch (JacksonException notJson) {
            return List.of();
        }
        String rest = pointer;
        int several = (rest + "/").indexOf("/*/");
        while (several >= 0) {
            String before = rest.substring(0, several);
            List<JsonNode> next = new ArrayList<>();
            nodes.forEach(node -> node.at(before).forEach(next::add));
            nodes = next;
            rest = rest.substring(several + 2);
            several = (rest + "/").indexOf("/*/");
        }
        String last = rest;
        return nodes.stream()
                .map(node -> node.at(last))
                .filter(node -> !node.isMissingNode() && !node.isNull())
                .toList();
    }
}
