package io.phaseload.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whatever an event is, the answer is a well-formed one; {@link Reply} insists on it. */
class HandlerFuzzTest {

    private static final int EVENTS = 20_000;

    /** However slow the machine is. */
    private static final int LEAST_EVENTS = 1_000;

    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final List<byte[]> STORED = Events.STORED.stream()
            .map(name -> Events.stored(name).getBytes(StandardCharsets.UTF_8))
            .toList();
    private static final Pattern VALUE = Pattern.compile(": *(\"[^\"]*\"|[0-9]+|true|false|null|\\{|\\[)");
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "-0",
            "1e999",
            "99999999999999999999999",
            "\"\"",
            "\"/\"",
            "\"/items/%ff\"",
            "\"/items/%\"",
            "\"PUT\"",
            "\"GET\"",
            "\"2.0\"",
            "\"\\ud800\"",
            "\"\\u0000\\r\\n\"",
            "\"\\",
            "\"" + "x".repeat(5000) + "\"",
            "[]",
            "{}",
            "[[[[",
            "{\"a\":",
            "}",
            "");

    @Test
    void everyEventIsAnswered() {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        Handler handler = new Handler();
        int[] byStatus = new int[600];
        for (int seed = 0; seed < EVENTS && (seed < LEAST_EVENTS || System.nanoTime() < deadline); seed++) {
            Random random = new Random(seed);
            byte[] event = pick(random, STORED);
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                event = mutated(event, random);
            }
            try {
                byStatus[Reply.to(event, handler).status()]++;
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + new String(event, StandardCharsets.UTF_8), e);
            }
        }
        // Some mutations leave an event be one, and some don't.
        assertThat(byStatus[200]).isPositive();
        assertThat(byStatus[400]).isPositive();
        assertThat(byStatus[500]).isZero();
    }

    private static byte[] mutated(byte[] event, Random random) {
        int at = random.nextInt(event.length + 1);
        int to = Math.min(event.length, at + 1 + random.nextInt(40));
        return switch (random.nextInt(6)) {
            case 0 -> flipped(event, random);
            case 1 -> Arrays.copyOf(event, at);
            case 2 -> joined(event, 0, at, event, to, event.length);
            case 3 -> joined(event, 0, to, event, at, event.length);
            case 4 -> {
                byte[] other = pick(random, STORED);
                yield joined(event, 0, at, other, Math.min(at, other.length), other.length);
            }
            default -> withAnotherValue(event, random);
        };
    }

    private static byte[] flipped(byte[] event, Random random) {
        byte[] flipped = event.clone();
        for (int i = event.length == 0 ? 0 : 1 + random.nextInt(4); i > 0; i--) {
            flipped[random.nextInt(event.length)] = (byte) random.nextInt(256);
        }
        return flipped;
    }

    private static byte[] joined(byte[] first, int from, int to, byte[] second, int secondFrom, int secondTo) {
        byte[] joined = Arrays.copyOf(Arrays.copyOfRange(first, from, to), to - from + secondTo - secondFrom);
        System.arraycopy(second, secondFrom, joined, to - from, secondTo - secondFrom);
        return joined;
    }

    private static byte[] withAnotherValue(byte[] event, Random random) {
        // Latin-1, since it keeps any bytes as they are.
        String text = new String(event, StandardCharsets.ISO_8859_1);
        Matcher matcher = VALUE.matcher(text);
        List<int[]> values =
                matcher.results().map(r -> new int[] {r.start(1), r.end(1)}).toList();
        if (values.isEmpty()) {
            return event;
        }
        int[] value = pick(random, values);
        String changed = text.substring(0, value[0]) + pick(random, VALUES) + text.substring(value[1]);
        return changed.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static <T> T pick(Random random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
