package io.phaseload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MixingTest {

    /** The JDK has the same generator: from seed 0, its states are the multiples of the step. */
    @Test
    void isSplitMix64() {
        SplittableRandom random = new SplittableRandom(0);

        assertThat(LongStream.rangeClosed(1, 100).map(Mixing::mix))
                .containsExactly(random.longs(100).boxed().toArray(Long[]::new));
        assertThat(Mixing.mix(1)).isEqualTo(0xE220A8397B1DCDAFL);
    }
}
