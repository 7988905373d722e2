package io.phaseload.diagnosis.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.evidence.Claim;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is said to follow from what. */
class ConsequencesTest {

    @Test
    void causesAndConsequencesAreRules() {
        Set<String> ids = Diagnoses.claims().stream().map(Claim::id).collect(Collectors.toSet());

        assertThat(Consequences.BY_CAUSE).allSatisfy((cause, consequences) -> {
            assertThat(ids).contains(cause);
            assertThat(ids).containsAll(consequences);
        });
    }

    @Test
    void nothingFollowsFromItself() {
        assertThat(Consequences.BY_CAUSE.keySet())
                .allSatisfy(cause -> assertThat(following(cause, Set.of())).doesNotContain(cause));
    }

    private static Set<String> following(String cause, Set<String> before) {
        return Consequences.BY_CAUSE.getOrDefault(cause, Set.of()).stream()
                .filter(one -> !before.contains(one))
                .flatMap(one -> Stream.concat(
                        Stream.of(one),
                        following(
                                one,
                                Stream.concat(before.stream(), Stream.of(one)).collect(Collectors.toSet()))
                                .stream()))
                .collect(Collectors.toSet());
    }
}
