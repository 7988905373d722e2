package io.phaseload.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ExplainTest {

    @Test
    void aFindingIsExplained() {
        Cli explained = Cli.run("explain", "rate-limit");

        assertThat(explained.code()).isZero();
        assertThat(explained.out())
                .startsWith("rate-limit: a diagnosis, about the server\n\nIt says: <refused> of")
                .contains("\n\nHow it is concluded: At least 1 %");
    }

    @Test
    void reasonsOfTheVerdictAreExplainedToo() {
        assertThat(Cli.run("explain", "run-queue").out())
                .contains("run-queue: a reason of the verdict, about the client");
    }

    @Test
    void allIdsAreListed() {
        assertThat(Cli.run("explain").out().lines()).contains("accept-queue", "outage", "gc", "littles-law");
    }

    @Test
    void jsonHasTheParagraphs() {
        JsonNode one = Cli.run("explain", "--json", "rate-limit").json();
        assertThat(one.size()).isEqualTo(1);
        assertThat(one.at("/0/id").asString()).isEqualTo("rate-limit");
        assertThat(one.at("/0/text/0").asString()).isEqualTo("rate-limit: a diagnosis, about the server");
        assertThat(Cli.run("explain", "--json").json())
                .hasSize((int) Cli.run("explain").out().lines().count());
    }

    @Test
    void anUnknownIdIsAMistake() {
        Cli near = Cli.run("explain", "rate-limt");
        Cli unknown = Cli.run("explain", "weather");

        assertThat(near.code()).isEqualTo(2);
        assertThat(near.err()).isEqualTo("explain: no finding 'rate-limt'; did you mean 'rate-limit'?\n");
        assertThat(unknown.err()).isEqualTo("explain: no finding 'weather'; 'phaseload explain' lists all ids\n");
    }
}
