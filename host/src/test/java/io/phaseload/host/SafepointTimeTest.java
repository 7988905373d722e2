package io.phaseload.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SafepointTimeTest {

    private enum Order {
        BIG_ENDIAN(ByteOrder.BIG_ENDIAN),
        LITTLE_ENDIAN(ByteOrder.LITTLE_ENDIAN);

        private final ByteOrder order;

        Order(ByteOrder order) {
            this.order = order;
        }
    }

    @TempDir
    private Path folder;

    /** As HotSpot writes it: a head of 32 bytes, then entries of 64 bytes each. */
    private ByteBuffer file(ByteOrder order, long ticks, long frequency) {
        ByteBuffer data = ByteBuffer.allocate(32 + 3 * 64);
        data.putInt(0, 0xcafec0c0);
        data.put(4, (byte) (order == ByteOrder.BIG_ENDIAN ? 0 : 1));
        data.order(order);
        data.putInt(24, 32);
        data.putInt(28, 3);
        entry(data, 32, "sun.rt.safepointTimes", 77);
        entry(data, 96, "sun.os.hrt.frequency", frequency);
        entry(data, 160, "sun.rt.safepointTime", ticks);
        return data;
    }

    private static void entry(ByteBuffer data, int at, String name, long value) {
        data.putInt(at, 64);
        data.putInt(at + 4, 20);
        data.putInt(at + 16, 48);
        data.put(at + 20, name.getBytes(StandardCharsets.US_ASCII));
        data.putLong(at + 48, value);
    }

    private Path write(ByteBuffer data) throws IOException {
        return Files.write(folder.resolve("1234"), data.array());
    }

    @ParameterizedTest
    @EnumSource
    void ticksAreReadAnewAndMadeNanoseconds(Order order) throws IOException {
        try (SafepointTime time = new SafepointTime(write(file(order.order, 3_000_000, 1_000_000)))) {
            assertThat(time.nanos()).contains(3_000_000_000L);
            write(file(order.order, 4_500_000, 1_000_000));
            assertThat(time.nanos()).contains(4_500_000_000L);
        }
    }

    @Test
    void anotherFileSaysNothing() throws IOException {
        assertThat(nanos(ByteBuffer.allocate(0))).isEmpty();
        assertThat(nanos(ByteBuffer.allocate(100))).isEmpty();
        assertThat(nanos(file(ByteOrder.BIG_ENDIAN, 3, 0))).isEmpty();
        assertThat(nanos(file(ByteOrder.BIG_ENDIAN, 3, 1).putInt(28, 2))).isEmpty();
        assertThat(nanos(file(ByteOrder.BIG_ENDIAN, 3, 1).putInt(24, 1_000))).isEmpty();
        assertThat(nanos(file(ByteOrder.BIG_ENDIAN, 3, 1).putInt(24, -1_000))).isEmpty();
        assertThat(nanos(file(ByteOrder.BIG_ENDIAN, 3, 1)
                        .putInt(28, Integer.MAX_VALUE)
                        .putInt(96, 0)))
                .isEmpty();
        assertThat(nanos(file(ByteOrder.BIG_ENDIAN, 3, 1).putInt(100, -1_000))).isEmpty();
        assertThat(nanos(file(ByteOrder.BIG_ENDIAN, 3, 1).putInt(176, 1_000))).isEmpty();
        assertThat(nanos(file(ByteOrder.BIG_ENDIAN, 3, 1).putInt(176, -1_000))).isEmpty();
        assertThat(new SafepointTime(folder.resolve("none")).nanos()).isEmpty();
    }

    private Optional<Long> nanos(ByteBuffer data) throws IOException {
        try (SafepointTime time = new SafepointTime(write(data))) {
            return time.nanos();
        }
    }

    @Test
    void thisJvmStopsForACollection() {
        try (SafepointTime time = SafepointTime.ofThisJvm()) {
            Optional<Long> before = time.nanos();
            assumeThat(before)
                    .as("flags %s", ManagementFactory.getRuntimeMXBean().getInputArguments())
                    .isPresent();
            System.gc();

            assertThat(time.nanos().orElseThrow()).isGreaterThan(before.orElseThrow());
        }
    }
}
