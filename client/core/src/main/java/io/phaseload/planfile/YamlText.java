package io.phaseload.planfile;

import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** Documents as YAML. */
final class YamlText {

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
            .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
            .enable(YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .disable(YAMLWriteFeature.SPLIT_LINES)
            .build();

    private static final Pattern LINE_ENDS = Pattern.compile("[\\u0085\\u2028\\u2029]");

    private YamlText() {}

    /**
     * Writes a document.
     *
     * @param document any
     * @return lines that read back as the same document
     */
    static String of(ObjectNode document) {
        String json = document.toPrettyString();
        // JSON is YAML, and keeps what YAML would take for the end of a line.
        return LINE_ENDS.matcher(json).find() ? json + "\n" : YAML.writeValueAsString(document);
    }
}
