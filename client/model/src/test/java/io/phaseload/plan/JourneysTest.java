package io.phaseload.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which operations ask only for what responses gave. */
class JourneysTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            textBlock =
                    """
                    /items                 | none              | true
                    /carts/{cart}          | none              | true
                    /carts/{cart}/{user}   | none              | false
                    /carts/{cart}/items    | {"item": 7}       | true
                    /carts/{cart}/items    | {"of": "{cart}"}  | true
                    /carts/{cart}/items    | {"id": "{uuid}"}  | false
                    /orders                | {"item": 7}       | false
                    """)
    void whatAResponseGaveExists(String path, String body, boolean given) {
        Step.Request asked = body == null ? Step.get(path) : Step.post(path, Body.ofText(body));
        Journey journey = Journey.named("buy")
                .step(Step.post("/carts", Body.ofText("{}")).extract("cart", "json:/cart"))
                .step(asked);

        assertThat(Journeys.of(journey).gives(asked.operation())).isEqualTo(given);
    }
}
