package io.phaseload.result;

import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.ServerMetrics;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A plan that was kept in a file. What was a secret in it is missing: see {@link
 * #redactedHeaders()} and {@link #redactedAddresses()}.
 *
 * @param plan the plan
 * @param targetKind what {@code --target} started for it, or {@code null} if it went to an address
 */
public record PlanFile(Plan plan, String targetKind) {

    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    /**
     * Reads a plan.
     *
     * @param path a {@code result.json}, the folder that it is in, or a file with a plan alone
     * @return the plan
     * @throws IOException if there is none, or something in it isn't allowed
     */
    public static PlanFile read(Path path) throws IOException {
        Path file = Files.isDirectory(path) ? path.resolve("result.json") : path;
        try {
            String text = Files.readString(file);
            JsonNode json = MAPPER.readTree(text);
            PlanJson plan =
                    json.has("plan")
                            ? MAPPER.treeToValue(json.get("plan"), PlanJson.class)
                            // From the text, so that a mistake has its line.
                            : MAPPER.readValue(text, PlanJson.class);
            return new PlanFile(plan.toPlan(), targetKind(json));
        } catch (UnrecognizedPropertyException e) {
            throw new IOException(
                    "key %s isn't one of %s"
                            .formatted(e.getPropertyName(), e.getKnownPropertyIds()),
                    e);
        } catch (StreamReadException e) {
            throw new IOException(
                    "line %d: %s".formatted(e.getLocation().getLineNr(), e.getOriginalMessage()),
                    e);
        } catch (JacksonException e) {
            throw new IOException(e.getOriginalMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static String targetKind(JsonNode result) {
        JsonNode target = result.path("target");
        // The first version of results knew one kind, and didn't name it.
        return result.has("plan") && target.isObject()
                ? target.path("kind").asString("tomcat")
                : null;
    }

    /**
     * Headers whose values were secrets.
     *
     * @return their names
     */
    public List<String> redactedHeaders() {
        return Stream.concat(
                        plan.target().headers().stream(),
                        plan.scenario().operations().stream().flatMap(o -> o.headers().stream()))
                .filter(header -> header.value().equals(Secrets.REDACTED))
                .map(Header::name)
                .distinct()
                .toList();
    }

    /**
     * The address and the paths in which a secret is missing.
     *
     * @return as they are in the file
     */
    public List<String> redactedAddresses() {
        List<String> addresses = new ArrayList<>();
        addresses.add(plan.target().uri().toString());
        plan.scenario().operations().stream().map(Operation::path).forEach(addresses::add);
        plan.serverMetrics().map(ServerMetrics::uri).map(URI::toString).ifPresent(addresses::add);
        return addresses.stream().filter(address -> address.contains(Secrets.REDACTED)).toList();
    }
}
