package io.phaseload.cli;

import io.phaseload.options.Quantities;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Load;
import io.phaseload.plan.Operation;
import io.phaseload.plan.PhaseLength;
import io.phaseload.result.json.PlanParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The lists of a plan's file: headers, operations, phases.
 *
 * @param file what is read
 * @param replaced the names of the command line's headers, in lower case
 */
record PlanLists(PlanFile file, Set<String> replaced) {

    /** Whether the command line gives a header anew. */
    boolean isReplaced(Header header) {
        return replaced.contains(header.name().toLowerCase(Locale.ROOT));
    }

    /** An address can't be said twice in part. */
    UsageException missingSecret(String address) {
        return file.failure(address + ": expected a copy of the file with the secret in it");
    }

    /** Headers by name, or as a list; those that were secrets must be given again. */
    List<Header> headers(JsonNode json, String at) throws UsageException {
        List<Header> all = new ArrayList<>();
        if (json.isObject()) {
            for (Map.Entry<String, JsonNode> header : json.properties()) {
                String key = at + "/" + header.getKey();
                all.add(made(key, () -> new Header(header.getKey(), header.getValue().asString())));
            }
        }
        for (int i = 0; json.isArray() && i < json.size(); i++) {
            JsonNode header = json.get(i);
            all.add(
                    made(
                            at + "/" + i,
                            () ->
                                    new Header(
                                            header.get("name").asString(),
                                            header.get("value").asString())));
        }
        for (Header header : all) {
            if (PlanParts.isRedacted(header.value()) && !isReplaced(header)) {
                throw file.failure(
                        "its header %s was a secret: expected --header '%s: …' beside it"
                                .formatted(header.name(), header.name()));
            }
        }
        return all;
    }

    /** The requests of an iteration. */
    List<Operation> operations(JsonNode json) throws UsageException {
        List<Operation> operations = new ArrayList<>();
        OperationNames names = new OperationNames();
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < json.size(); i++) {
            String at = "/operations/" + i;
            JsonNode item = json.get(i);
            Operation operation =
                    item.isString()
                            ? made(at, () -> operation(item.asString()))
                            : operation((ObjectNode) item, at);
            if (PlanParts.isRedacted(operation.path())) {
                throw missingSecret(operation.path());
            }
            Operation named = names.numbered(operation);
            checkUnique(at, named.name(), taken);
            operations.add(named);
        }
        return operations;
    }

    private static Operation operation(String methodAndPath) {
        String[] parts = methodAndPath.strip().split("\\s+", 2);
        if (parts.length < 2) {
            throw new IllegalArgumentException("expected a method and a path, such as GET /items");
        }
        return RequestList.withDefaultBody(Operation.of(parts[0], parts[1]));
    }

    private Operation operation(ObjectNode item, String at) throws UsageException {
        ObjectNode json = item.deepCopy();
        json.remove(List.of("bodyFile", "checks", "headers"));
        Operation operation = made(at, () -> PlanParts.operation(json));
        List<Header> own = new ArrayList<>(headers(item.path("headers"), at + "/headers"));
        // A header of an operation would win over one of the command line.
        own.removeIf(this::isReplaced);
        JsonNode checks = item.path("checks");
        String texts =
                checks.isArray()
                        ? String.join(" ", checks.valueStream().map(JsonNode::asString).toList())
                        : checks.asString("");
        Operation checked =
                texts.isBlank()
                        ? operation
                        : operation.withChecks(
                                made(at + "/checks", () -> RequestList.parseChecks(texts)));
        Optional<Body> body =
                item.hasNonNull("bodyFile")
                        ? Optional.of(body(item.get("bodyFile").asString(), at + "/bodyFile"))
                        : checked.body();
        return made(
                at,
                () ->
                        new Operation(
                                checked.name(),
                                checked.method(),
                                checked.path(),
                                own,
                                body,
                                checked.checks(),
                                checked.metrics()));
    }

    private Body body(String path, String at) throws UsageException {
        try {
            return Body.ofBytes(Files.readAllBytes(Path.of(path)));
        } catch (IOException | InvalidPathException e) {
            throw file.failure(at, "bodyFile " + path + ": expected a file that can be read");
        }
    }

    /** The phases, as text or as a list. */
    List<PhaseList.Item> phases(JsonNode json) throws UsageException {
        if (json.isString()) {
            return made("/phases", () -> PhaseList.parse(json.asString()));
        }
        List<PhaseList.Item> items = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < json.size(); i++) {
            String at = "/phases/" + i;
            JsonNode item = json.get(i);
            List<PhaseList.Item> more =
                    item.isString()
                            ? made(at, () -> PhaseList.parse(item.asString()))
                            : List.of(made(at, () -> phase(item)));
            for (PhaseList.Item one : more) {
                checkUnique(at, one.name(), taken);
            }
            items.addAll(more);
        }
        return items;
    }

    private void checkUnique(String at, String name, Set<String> taken) throws UsageException {
        if (!taken.add(name)) {
            throw file.failure(
                    at,
                    "%s: name %s: expected a name that is not taken"
                            .formatted(at.substring(1).replace('/', '.'), name));
        }
    }

    private static PhaseList.Item phase(JsonNode json) {
        Load load = json.hasNonNull("load") ? PlanParts.load(json.get("load")) : null;
        String rate = json.path("rate").asString("");
        if (load != null && !rate.isEmpty()) {
            throw new IllegalArgumentException("rate: expected no load beside it");
        }
        return PhaseList.Item.of(
                json.get("name").asString(),
                json.get("share").asDouble(),
                length(json),
                rate.isEmpty() ? null : rate,
                load);
    }

    private static PhaseLength length(JsonNode json) {
        List<PhaseLength> lengths = new ArrayList<>();
        if (json.hasNonNull("iterations")) {
            lengths.add(
                    new PhaseLength.Iterations(
                            Quantities.parseCount(json.get("iterations").asString(), 1)));
        }
        if (json.hasNonNull("duration")) {
            lengths.add(
                    new PhaseLength.Lasting(
                            Quantities.parseDuration(json.get("duration").asString(), false)));
        }
        if (json.hasNonNull("durationMs")) {
            long nanos = Math.round(json.get("durationMs").asDouble() * 1e6);
            lengths.add(new PhaseLength.Lasting(Duration.ofNanos(nanos)));
        }
        if (lengths.size() > 1) {
            throw new IllegalArgumentException("expected one of iterations, duration, durationMs");
        }
        return lengths.isEmpty() ? null : lengths.get(0);
    }

    private <T> T made(String at, Supplier<T> part) throws UsageException {
        try {
            return part.get();
        } catch (IllegalArgumentException e) {
            throw file.failure(at, at.substring(1).replace('/', '.') + ": " + e.getMessage());
        }
    }
}
