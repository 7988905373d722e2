package io.phaseload.result.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Exchanges;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.measure.Tally;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.check.Check;
import io.phaseload.result.CheckRemark;
import io.phaseload.result.CheckRemark.Reason;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CheckRemarksTest {

    private static final Outcome FIRST = new Outcome.CheckFailure(Cause.of("check type=json"), "no Content-Type");
    private static final Outcome SECOND = new Outcome.CheckFailure(Cause.of("check body~'a'"), "b");
    private static final Outcome BUSY = new Outcome.HttpFailure(503);
    private static final Outcome SLOW = Outcome.NoResponse.READ_TIMEOUT;
    private static final Outcome WARNED = new Outcome.Success(Map.of(), Map.of("check size<1k", "size 2000"), Set.of());
    private static final Outcome IDLE = new Outcome.Success(Map.of(), Map.of(), Set.of("check body!~'c'"));

    private static final CheckRemark NEVER =
            new CheckRemark("GET /", "check type=json", Reason.NEVER_HELD, 2, "no Content-Type");

    private static Tally tally(Outcome... outcomes) {
        Tally tally = new Tally();
        Stream.of(outcomes)
                .forEach(outcome -> tally.add(new Sample(0, 0, Exchanges.of(0, 1_000, outcome, 0, 0, false))));
        return tally;
    }

    private static List<CheckRemark> remarks(Tally... operations) {
        List<Operation> plan = Stream.of("/", "/b")
                .limit(operations.length)
                .map(path -> Operation.get(path)
                        .withChecks(Check.parse("type=json body~'a' warn:size<1k body!~'c'")
                                .toArray(Check[]::new)))
                .toList();
        return CheckRemarks.of(
                Plan.builder(URI.create("http://localhost/"))
                        .scenario(new Scenario(plan))
                        .build(),
                List.of(List.of(operations)));
    }

    @Test
    void aCheckThatNeverHeldIsNamedWhateverElseFailed() {
        assertThat(remarks(tally(FIRST, BUSY, SLOW, FIRST))).containsExactly(NEVER);
        assertThat(remarks(tally(SECOND, BUSY, SECOND)))
                .containsExactly(new CheckRemark("GET /", "check body~'a'", Reason.NEVER_HELD, 2, "b"));
    }

    @Test
    void aCheckThatHeldOnceIsNotNamed() {
        assertThat(remarks(tally(FIRST, FIRST, Outcome.SUCCESS))).isEmpty();
        // The first check held where the second one failed.
        assertThat(remarks(tally(FIRST, FIRST, SECOND))).isEmpty();
        assertThat(remarks(tally(FIRST, FIRST, new Outcome.ExtractFailure("id", "GET /", ""))))
                .isEmpty();
        assertThat(remarks(tally(WARNED, WARNED, Outcome.SUCCESS))).isEmpty();
        assertThat(remarks(tally(IDLE, IDLE, Outcome.SUCCESS))).isEmpty();
    }

    @Test
    void eachOperationCountsItsOwnResponses() {
        assertThat(remarks(tally(Outcome.SUCCESS, WARNED), tally(WARNED, WARNED, SLOW)))
                .containsExactly(new CheckRemark("GET /b", "check size<1k", Reason.NEVER_HELD, 2, "size 2000"));
        assertThat(remarks(tally(IDLE, IDLE, BUSY), tally(Outcome.SUCCESS)))
                .containsExactly(new CheckRemark("GET /", "check body!~'c'", Reason.NOTHING_TO_CHECK, 2, ""));
    }

    @Test
    void aSingleResponseProvesNothing() {
        assertThat(remarks(tally(FIRST), tally(WARNED))).isEmpty();
        assertThat(remarks(tally(IDLE), tally())).isEmpty();
    }

    @Test
    void allPhasesCount() {
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .scenario(new Scenario(List.of(
                        Operation.get("/").withChecks(Check.parse("type=json").get(0)))))
                .build();
        assertThat(CheckRemarks.of(plan, List.of(List.of(tally(FIRST)), List.of(tally(FIRST)))))
                .containsExactly(NEVER);
        assertThat(CheckRemarks.of(plan, List.of(List.of(tally(FIRST, FIRST)), List.of(tally(Outcome.SUCCESS)))))
                .isEmpty();
    }
}
