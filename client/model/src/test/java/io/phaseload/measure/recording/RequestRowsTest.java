package io.phaseload.measure.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.measure.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestRowsTest {

    private final RequestRows rows = new RequestRows(4);

    private void add(long... keys) {
        for (long key : keys) {
            rows.add(key, (int) key, 0, 0, 0, -1, Samples.success(key), "/" + key);
        }
    }

    private List<String> above(long limit) {
        return rows.above(limit, 0).stream().map(SampledRequest::path).toList();
    }

    @Test
    void allAreKeptWhileThereIsRoom() {
        add(10, 40, 20, 30);

        assertThat(rows.bar()).isEqualTo(-1);
        assertThat(rows.takes(0)).isTrue();
        assertThat(above(-1)).containsExactly("/10", "/40", "/20", "/30");
    }

    @Test
    void aFullTableKeepsTheHigherHalfAndAllThatIsHigher() {
        add(10, 40, 20, 30, 50);

        assertThat(rows.bar()).isEqualTo(30);
        assertThat(rows.takes(30)).isFalse();
        assertThat(rows.takes(31)).isTrue();
        assertThat(above(rows.bar())).containsExactly("/40", "/50");
    }

    @Test
    void theRequestThatFillsItIsDroppedBelowTheBar() {
        add(10, 40, 20, 30, 25);

        assertThat(above(rows.bar())).containsExactly("/40");
    }

    @Test
    void equalKeysMakeRoomTogether() {
        add(10, 10, 10, 10, 11);

        assertThat(rows.bar()).isEqualTo(10);
        assertThat(above(rows.bar())).containsExactly("/11");
    }

    /** Another table of the phase may have a higher bar. */
    @Test
    void onlyKeysAboveTheLimitAreRead() {
        add(10, 20, 30);

        assertThat(above(20)).containsExactly("/30");
    }
}
