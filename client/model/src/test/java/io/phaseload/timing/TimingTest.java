package io.phaseload.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.phaseload.measure.Tally;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The timings of the model, and one of a protocol that it doesn't know. */
public class TimingTest {

    /** A protocol's timing, found by {@code ServiceLoader}. */
    public static final class Provider implements TimingProvider {

        static final Timing QUEUED = new Section("queues", "job").titled("wait of a %s", "queued", "queued");

        @Override
        public List<Timing> timings() {
            return List.of(QUEUED);
        }
    }

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
        tally.add(Provider.QUEUED, 5);
        Tally sum = new Tally();
        sum.add(tally);
        sum.pack();
        assertThat(sum.count(Timing.of("queued"))).isEqualTo(1);
        assertThat(sum.histograms()).containsOnlyKeys(Provider.QUEUED);
        assertThat(Provider.QUEUED.title(Provider.QUEUED.section().noun())).isEqualTo("wait of a job");
    }

    @Test
    void rejectsOtherNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timing.of("respons"))
                .withMessage("histogram of respons");
    }
}
