package io.phaseload.measure.recording;

import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Requests with the highest keys, in little memory. All whose key exceeds a bar are kept, without exception; when there
 * is no more room, the bar rises to the median of the keys.
 *
 * <p>Not thread-safe: it is owned by one sampler.
 */
final class RequestRows {

    private static final int WIDTH = 17;
    private static final int FIRST = 64;
    private static final long CONNECTED = 1;
    private static final long STALLED = 2;

    private final int capacity;
    private long[] cells = new long[0];
    private Outcome[] outcomes = new Outcome[0];
    private String[] paths = new String[0];
    private int size;
    private long bar = -1;

    RequestRows(int capacity) {
        this.capacity = capacity;
    }

    /** Whether a request with this key is to be kept. */
    boolean takes(long key) {
        return key > bar;
    }

    /** The highest key that wasn't kept; −1 if all were. */
    long bar() {
        return bar;
    }

    void add(
            long key, int user, int connection, int place, long madeNanos, long idleNanos, Sample sample, String path) {
        if (size == capacity) {
            thin();
            if (!takes(key)) {
                return;
            }
        }
        if (size == outcomes.length) {
            int more = Math.min(capacity, Math.max(FIRST, 2 * size));
            cells = Arrays.copyOf(cells, more * WIDTH);
            outcomes = Arrays.copyOf(outcomes, more);
            paths = Arrays.copyOf(paths, more);
        }
        Exchange exchange = sample.exchange();
        Exchange.SetUp setUp = exchange.setUp();
        int at = size * WIDTH;
        cells[at] = key;
        cells[at + 1] = sample.intendedNanos();
        cells[at + 2] = exchange.sentNanos();
        cells[at + 3] = sample.serviceNanos();
        cells[at + 4] = exchange.timeToFirstByteNanos();
        cells[at + 5] = sample.operation();
        cells[at + 6] = user;
        cells[at + 7] = connection;
        cells[at + 8] = place;
        cells[at + 9] = madeNanos;
        if (setUp != null) {
            cells[at + 10] = setUp.lookUpNanos();
            cells[at + 11] = setUp.connectNanos();
            cells[at + 12] = setUp.tlsNanos();
        }
        cells[at + 13] = exchange.bytesReceived();
        cells[at + 14] = exchange.status();
        cells[at + 15] = (setUp != null ? CONNECTED : 0) | (sample.stalled() ? STALLED : 0);
        cells[at + 16] = idleNanos;
        outcomes[size] = exchange.outcome();
        paths[size] = path;
        size++;
    }

    private void thin() {
        long[] keys = new long[size];
        for (int i = 0; i < size; i++) {
            keys[i] = cells[i * WIDTH];
        }
        Arrays.sort(keys);
        bar = keys[size / 2];
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (cells[i * WIDTH] > bar) {
                System.arraycopy(cells, i * WIDTH, cells, kept * WIDTH, WIDTH);
                paths[kept] = paths[i];
                outcomes[kept++] = outcomes[i];
            }
        }
        Arrays.fill(outcomes, kept, size, null);
        Arrays.fill(paths, kept, size, null);
        size = kept;
    }

    /** The requests whose key exceeds a bar that is at least its own. */
    List<SampledRequest> above(long limit, long startNanos) {
        List<SampledRequest> rows = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            if (cells[i * WIDTH] > limit) {
                rows.add(row(i, startNanos));
            }
        }
        return rows;
    }

    private SampledRequest row(int index, long startNanos) {
        int at = index * WIDTH;
        long sent = cells[at + 2];
        long flags = cells[at + 15];
        Outcome outcome = outcomes[index];
        Exchange.SetUp setUp =
                (flags & CONNECTED) == 0 ? null : new Exchange.SetUp(cells[at + 10], cells[at + 11], cells[at + 12]);
        SampledConnection over = SampledConnection.of(
                outcome, (int) cells[at + 7], (int) cells[at + 8], sent - cells[at + 9], cells[at + 16], setUp);
        return new SampledRequest(
                cells[at + 1] - startNanos,
                sent - startNanos,
                cells[at + 3],
                cells[at + 4],
                (int) cells[at + 5],
                (int) cells[at + 6],
                over,
                paths[index],
                cells[at + 13],
                (int) cells[at + 14],
                (flags & STALLED) != 0,
                outcome);
    }
}
