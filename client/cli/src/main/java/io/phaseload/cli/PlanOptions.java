package io.phaseload.cli;

import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Header;
import io.phaseload.plan.Plan;
import io.phaseload.result.json.PlanParts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * From a plan's file to the options of {@code run}: each of its keys is one of them. What the
 * command line says is left to it.
 *
 * @param file what is read
 * @param given the long names of the options on the command line
 * @param headers the names of its headers, in lower case
 */
record PlanOptions(PlanFile file, Set<String> given, Set<String> headers) {

    /** The keys that are options with one value. */
    private static final Map<String, String> KEYS = new LinkedHashMap<>();

    static {
        KEYS.put("/name", "--name");
        KEYS.put("/target/url", "--url");
        KEYS.put("/target/kind", "--target");
        KEYS.put("/target/lambdaInstances", "--lambda-instances");
        KEYS.put("/target/lambdaColdStart", "--lambda-cold-start");
        KEYS.put("/target/connectTimeout", "--connect-timeout");
        KEYS.put("/target/connectTimeoutMs", "--connect-timeout");
        KEYS.put("/target/responseTimeout", "--timeout");
        KEYS.put("/target/responseTimeoutMs", "--timeout");
        KEYS.put("/target/insecure", "--insecure");
        KEYS.put("/target/cacert", "--cacert");
        KEYS.put("/target/cert", "--cert");
        KEYS.put("/target/key", "--key");
        KEYS.put("/target/awsSigv4", "--aws-sigv4");
        KEYS.put("/serverMetrics", "--server-metrics");
        KEYS.put("/serverMetrics/url", "--server-metrics");
        KEYS.put("/threads", "--threads");
        KEYS.put("/iterations", "--iterations");
        KEYS.put("/duration", "--duration");
        KEYS.put("/virtualThreads", "--virtual");
        KEYS.put("/engine", "--engine");
        KEYS.put("/engine/name", "--engine");
        KEYS.put("/engine/loops", "--loops");
        KEYS.put("/engine/transport", "--transport");
        KEYS.put("/engine/connectRate", "--connect-rate");
        KEYS.put("/engine/http2", "--http2");
        KEYS.put("/engine/keepGoing", "--keep-going");
        KEYS.put("/engine/streams", "--streams");
        KEYS.put("/engine/windows", "--windows");
        KEYS.put("/engine/pipeline", "--pipeline");
        KEYS.put("/seed", "--seed");
        KEYS.put("/think", "--think");
        KEYS.put("/pacing", "--pacing");
        KEYS.put("/ramp", "--ramp");
        KEYS.put("/rate", "--rate");
        KEYS.put("/arrivals", "--arrivals");
        KEYS.put("/overload", "--overload");
    }

    /** What an option takes the place of, beside the key of its own. */
    private static final Map<String, Set<String>> REPLACES =
            Map.of(
                    "--url", Set.of("--target", "--lambda-instances", "--lambda-cold-start"),
                    "--target", Set.of("--url", "--lambda-instances", "--lambda-cold-start"),
                    "--cert", Set.of("--key"),
                    "--duration", Set.of("--iterations"),
                    "--iterations", Set.of("--duration"),
                    "--engine",
                            Set.of(
                                    "--loops",
                                    "--transport",
                                    "--pipeline",
                                    "--http2",
                                    "--streams",
                                    "--windows"),
                    "--rate", Set.of("--think", "--pacing", "--ramp"),
                    "--think", Set.of("--pacing", "--rate", "--arrivals", "--overload"),
                    "--pacing", Set.of("--think", "--rate", "--arrivals", "--overload"),
                    "--ramp", Set.of("--rate", "--arrivals", "--overload"));

    /** The key that an option has in the file, if it is there. */
    static Optional<String> key(PlanFile file, String option) {
        return KEYS.entrySet().stream()
                .filter(key -> key.getValue().equals(option))
                .map(Map.Entry::getKey)
                .filter(at -> !file.plan().at(at).isMissingNode())
                .findFirst();
    }

    /** Sets what the file says. */
    void fillIn(RunOptions options) throws UsageException {
        PlanLists lists = new PlanLists(file, headers);
        List<String> words = new ArrayList<>();
        KEYS.forEach((at, option) -> add(words, option, value(at)));
        JsonNode target = file.plan().path("target");
        boolean any = target.isString() || target.has("url") || target.has("kind");
        if (!any && !given.contains("--url") && !given.contains("--target")) {
            throw file.failure(
                    "expected a key target, such as http://localhost:8080/ or tomcat,"
                            + " or --url beside it");
        }
        if (target.isString()) {
            boolean url = target.asString().contains("://");
            add(words, url ? "--url" : "--target", Optional.of(target.asString()));
        } else if (file.startedTarget() != null) {
            words.removeIf(word -> word.startsWith("--url="));
            add(words, "--target", Optional.of(file.startedTarget()));
        }
        file.plan()
                .path("labels")
                .properties()
                .forEach(
                        label ->
                                words.add(
                                        "--label="
                                                + label.getKey()
                                                + "="
                                                + label.getValue().asString()));
        for (Header header : lists.headers(target.path("headers"), "/target/headers")) {
            if (!lists.isReplaced(header)) {
                words.add("--header=" + header.name() + ": " + header.value());
            }
        }
        if (!given.contains("--server-metrics") && !given.contains("--server-metric")) {
            file.plan()
                    .at("/serverMetrics/metrics")
                    .properties()
                    .forEach(
                            metric ->
                                    words.add(
                                            "--server-metric="
                                                    + metric.getKey()
                                                    + "="
                                                    + metric.getValue().asString()));
        }
        if (!given.contains("--threshold")) {
            for (JsonNode threshold : file.plan().path("thresholds")) {
                words.add("--threshold=" + threshold(threshold));
            }
        }
        try {
            // Without system properties: the command line, which follows, has them.
            new OptionParser(options, name -> null).parse(words.toArray(String[]::new));
        } catch (UsageException e) {
            throw explained(e);
        }
        for (String word : words) {
            if (PlanParts.isRedacted(word) && word.matches("(?s)--(url|server-metrics)=.*")) {
                throw lists.missingSecret(word.substring(word.indexOf('=') + 1));
            }
        }
        if (file.plan().path("labels").has(Plan.SIGNED)
                && options.awsSigv4 == null
                && !given.contains("--aws-sigv4")) {
            throw file.failure("its requests were signed: expected --aws-sigv4 beside it");
        }
        if (file.plan().has("phases") && !given.contains("--phases")) {
            options.phaseItems = lists.phases(file.plan().get("phases"));
        }
        if (file.plan().has("operations")
                && RequestOption.NAMES.stream().noneMatch(given::contains)) {
            options.operations = lists.operations(file.plan().get("operations"));
        }
    }

    /** A mistake by the key's name and line in the file, if it is there that the mistake is. */
    UsageException explained(UsageException mistake) {
        String option = mistake.getMessage().split("[ :]", 2)[0];
        if (given.contains(option)) {
            return mistake;
        }
        String message = mistake.getMessage().replaceFirst("^--", "");
        return key(file, option)
                .or(() -> element(option, message))
                .map(at -> file.failure(at, message))
                .orElseGet(() -> file.failure(message));
    }

    /** Of an option that can be repeated, or has two keys, the part that a message is about. */
    private Optional<String> element(String option, String message) {
        switch (option) {
            case "--url", "--target":
                return Optional.of("/target");
            case "--server-metric":
                String name = message.substring("server-metric ".length()).split("=", 2)[0];
                return Optional.of("/serverMetrics/metrics/" + name);
            case "--threshold":
                JsonNode thresholds = file.plan().path("thresholds");
                return IntStream.range(0, thresholds.size())
                        .filter(i -> message.contains("'" + threshold(thresholds.get(i)) + "'"))
                        .mapToObj(i -> "/thresholds/" + i)
                        .findFirst();
            default:
                return Optional.empty();
        }
    }

    private void add(List<String> words, String option, Optional<String> value) {
        boolean replaced =
                given.contains(option)
                        || given.stream()
                                .anyMatch(
                                        by -> REPLACES.getOrDefault(by, Set.of()).contains(option));
        if (value.isPresent() && !replaced) {
            words.add(option + "=" + value.get());
        }
    }

    private Optional<String> value(String at) {
        JsonNode value = file.plan().at(at);
        if (value.isMissingNode() || value.isNull() || value.isContainer()) {
            return Optional.empty();
        }
        String text = value.isNumber() ? value.decimalValue().toPlainString() : value.asString();
        return Optional.of(at.endsWith("Ms") ? text + "ms" : text);
    }

    /** Without quotes YAML takes what is before the colon for a key. */
    private static String threshold(JsonNode json) {
        if (!json.isObject()) {
            return json.asString();
        }
        StringBuilder text = new StringBuilder();
        json.properties()
                .forEach(
                        part ->
                                text.append(part.getKey())
                                        .append(": ")
                                        .append(part.getValue().asString()));
        return text.toString();
    }
}
