package io.phaseload.http.response;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Changed inputs by a seed, which is the day's and is printed: {@code -Dfuzz.seed=N} repeats another day's inputs, and
 * {@code -Dfuzz.seconds=600} looks longer. A failure names the input in hexadecimal digits, which becomes a part of the
 * corpus.
 */
public final class Fuzz {

    private static final long SECONDS = Long.getLong("fuzz.seconds", 1);
    private static final long SEED =
            Long.getLong("fuzz.seed", LocalDate.now(ZoneOffset.UTC).toEpochDay());

    /** Looks at an input. */
    @FunctionalInterface
    public interface Check {

        /** Fails if what must hold of it doesn't. */
        void on(byte[] input, Random random) throws Exception;
    }

    private Fuzz() {}

    /** Checks changed inputs until the time is up; returns how many. */
    public static long run(List<byte[]> corpus, List<String> words, Check check) {
        Random random = new Random(SEED);
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        long count = 0;
        do {
            byte[] input = changed(corpus, words, random);
            try {
                check.on(input, random);
            } catch (Throwable e) {
                throw new AssertionError(
                        "input %d of seed %d: %s"
                                .formatted(count, SEED, HexFormat.of().formatHex(input)),
                        e);
            }
            count++;
        } while (System.nanoTime() - end < 0);
        System.out.printf("fuzzed %d inputs of seed %d in %d s%n", count, SEED, SECONDS);
        return count;
    }

    /** Texts as bytes. */
    public static List<byte[]> texts(String... texts) {
        return List.of(texts).stream()
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }

    /** Inputs in hexadecimal digits; blanks don't count. */
    public static List<byte[]> hex(String... inputs) {
        return List.of(inputs).stream()
                .map(hex -> HexFormat.of().parseHex(hex.replace(" ", "")))
                .toList();
    }

    private static byte[] changed(List<byte[]> corpus, List<String> words, Random random) {
        byte[] input = corpus.get(random.nextInt(corpus.size())).clone();
        for (int left = random.nextInt(4); left >= 0; left--) {
            int at = random.nextInt(input.length + 1);
            int to = Math.min(input.length, at + random.nextInt(8));
            byte[] other = corpus.get(random.nextInt(corpus.size()));
            String word = words.get(random.nextInt(words.size()));
            input = switch (random.nextInt(6)) {
                case 0 -> joined(input, at, new byte[] {(byte) random.nextInt()}, at + 1);
                case 1 -> joined(input, at, new byte[0], to);
                case 2 -> joined(input, at, word.getBytes(StandardCharsets.ISO_8859_1), at);
                case 3 -> joined(input, at, word.getBytes(StandardCharsets.ISO_8859_1), to);
                case 4 -> joined(input, at, other, input.length);
                default -> joined(input, to, input.clone(), at);
            };
        }
        return input;
    }

    private static byte[] joined(byte[] input, int to, byte[] middle, int from) {
        int rest = Math.max(0, input.length - from);
        byte[] joined = new byte[Math.min(to, input.length) + middle.length + rest];
        int at = Math.min(to, input.length);
        System.arraycopy(input, 0, joined, 0, at);
        System.arraycopy(middle, 0, joined, at, middle.length);
        System.arraycopy(input, input.length - rest, joined, at + middle.length, rest);
        return joined;
    }
}
