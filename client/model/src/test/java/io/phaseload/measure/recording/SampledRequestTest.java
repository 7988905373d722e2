package io.phaseload.measure.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import org.junit.jupiter.api.Test;

class SampledRequestTest {

    private static final SampledConnection NEW = new SampledConnection(3, 0, 0, -1, new SetUp(5, 20, 15));
    private static final SampledConnection OPEN = new SampledConnection(3, 1, 900, 100, null);

    private static SampledRequest over(SampledConnection connection, long due, long sent, Outcome outcome) {
        return new SampledRequest(due, sent, 70, 30, 0, 0, connection, "", 10, 200, false, outcome);
    }

    @Test
    void onlyAFailureHasACause() {
        SampledRequest failed = over(OPEN, 0, 0, Outcome.NoResponse.READ_TIMEOUT);

        assertThat(failed.failed()).isTrue();
        assertThat(failed.cause()).contains(Cause.READ_TIMEOUT);
        assertThat(over(OPEN, 0, 0, Outcome.SUCCESS).cause()).isEmpty();
    }

    @Test
    void endsAfterItsServiceTime() {
        assertThat(over(OPEN, 100, 110, Outcome.SUCCESS).endNanos()).isEqualTo(180);
    }

    /** A user that connects can't send before. */
    @Test
    void theTimeToConnectIsNoDelayByTheClient() {
        assertThat(over(OPEN, 100, 150, Outcome.SUCCESS).lateNanos()).isEqualTo(50);
        assertThat(over(NEW, 100, 150, Outcome.SUCCESS).lateNanos()).isEqualTo(10);
        assertThat(over(NEW, 100, 130, Outcome.SUCCESS).lateNanos()).isZero();
    }

    @Test
    void theFirstRequestOverAConnectionHasTheTimesOfMakingIt() {
        assertThat(over(NEW, 0, 0, Outcome.SUCCESS).isNew()).isTrue();
        assertThat(NEW.connectNanos()).isEqualTo(20);
        assertThat(NEW.setUpNanos()).isEqualTo(40);
        assertThat(over(OPEN, 0, 0, Outcome.SUCCESS).isNew()).isFalse();
        assertThat(OPEN.connectNanos()).isEqualTo(-1);
        assertThat(OPEN.setUpNanos()).isZero();
    }

    @Test
    void onlySharedConnectionsHaveANumberAmongThem() {
        for (int number : new int[] {0, 1, 4_711}) {
            int shared = SampledConnection.shared(number);
            assertThat(shared).isLessThan(-1);
            assertThat(new SampledConnection(shared, -1, -1, -1, null).sharedNumber())
                    .isEqualTo(number);
        }
        assertThat(new SampledConnection(0, 0, 0, -1, null).sharedNumber()).isEqualTo(-1);
        assertThat(new SampledConnection(-1, -1, -1, -1, null).sharedNumber()).isEqualTo(-1);
    }
}
