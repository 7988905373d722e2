package io.phaseload.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.measure.Tally;
import org.junit.jupiter.api.Test;

/** The timings of the model, and one of a protocol that it doesn't know. */
class TimingTest {

    @Test
    void areFoundByTheirNamesInFiles() {
        assertThat(Timing.all()).hasSizeGreaterThan(29).doesNotHaveDuplicates().allSatisfy(timing -> {
            assertThat(timing.key()).matches("[a-z-]+");
            assertThat(Timing.of(timing.key())).isSameAs(timing);
            assertThat(Timing.all().get(timing.index())).isSameAs(timing);
        });
    }

    @Test
    void ofAnotherModuleAreRecordedAndMergedLikeOurs() {
        Tally tally = new Tally();
        tally.add(QueueTimings.QUEUED, 5);
        Tally sum = new Tally();
        sum.add(tally);
        sum.pack();
        assertThat(sum.count(Timing.of("queued"))).isEqualTo(1);
        assertThat(sum.histograms()).containsOnlyKeys(QueueTimings.QUEUED);
        assertThat(QueueTimings.QUEUED.title(QueueTimings.QUEUED.section().noun()))
                .isEqualTo("wait of a job");
    }

    @Test
    void rejectsOtherNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timing.of("respons"))
                .withMessage("histogram of respons");
    }
}
