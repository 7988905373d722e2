package io.phaseload.cluster.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jgroups.protocols.MERGE3;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {

    @Test
    void areRarerInALargeCluster() {
        MERGE3 merges = new MERGE3();
        Heartbeats heartbeats = new Heartbeats(merges);
        for (int members : List.of(1, 20)) {
            assertThat(Heartbeats.interval(members)).isEqualTo(1_000);
        }
        heartbeats.every(Heartbeats.interval(51));
        assertThat(heartbeats.getInterval()).isEqualTo(3_000);
        assertThat(heartbeats.getTimeout()).isEqualTo(15_000);
        assertThat(merges.getMaxInterval()).isEqualTo(9_000);
        heartbeats.every(Heartbeats.interval(20));
        assertThat(heartbeats.getTimeout()).isEqualTo(5_000);
    }
}
