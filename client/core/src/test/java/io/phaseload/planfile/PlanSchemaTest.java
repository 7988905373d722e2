package io.phaseload.planfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Metric;
import io.phaseload.plan.metrics.ServerMetrics;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** The published schema allows the names that a plan allows, and no others. */
class PlanSchemaTest {

    private static final List<String> NAMES = List.of(
            "",
            "a",
            "A",
            "7",
            "-a",
            "_a",
            ".a",
            "a-b",
            "a_b",
            "a.b",
            "a b",
            "aB",
            "a7",
            "ä",
            "a".repeat(40),
            "a".repeat(41),
            "a".repeat(100),
            "a".repeat(101));

    private static final ServerMetrics.Choice CHOICE = ServerMetrics.Choice.parse("up");

    static Stream<Arguments> patterns() {
        return Stream.of(
                arguments("/properties/name", "", allows(Plan::checkName)),
                arguments(
                        "/properties/phases/anyOf/1/items/anyOf/1/properties/name",
                        "",
                        allows(name -> new Phase(name, 1, new PhaseLength.Iterations(1)))),
                arguments(
                        "/properties/serverMetrics/anyOf/1/properties/metrics/propertyNames",
                        "",
                        allows(name -> new ServerMetrics(URI.create("/"), Map.of(name, CHOICE)))),
                arguments(
                        "/properties/serverMetrics/anyOf/1/properties/url/anyOf/1/propertyNames",
                        "",
                        // A server that is alone needs no name, but then it has no key, either.
                        allows(name -> new ServerMetrics(named(name), Map.of()))),
                arguments(
                        "/properties/operations/items/anyOf/1/properties/metrics/items",
                        "=/a",
                        allows(name -> new Metric(name, "/a", ""))));
    }

    private static Map<String, URI> named(String name) {
        return Map.of(name.isEmpty() ? "-" : name, URI.create("/"));
    }

    private static Consumer<String> allows(Consumer<String> check) {
        return check;
    }

    @ParameterizedTest
    @MethodSource("patterns")
    void itsNamesAreThoseOfAPlan(String pointer, String rest, Consumer<String> check) throws Exception {
        String pattern;
        try (InputStream in = PlanFile.class.getResourceAsStream("plan.schema.json")) {
            pattern =
                    JsonMapper.shared().readTree(in).at(pointer).get("pattern").asString();
        }
        for (String name : NAMES) {
            assertThat(Pattern.compile(pattern).matcher(name + rest).find())
                    .as(name)
                    .isEqualTo(isAllowed(name, check));
        }
    }

    private static boolean isAllowed(String name, Consumer<String> check) {
        try {
            check.accept(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
