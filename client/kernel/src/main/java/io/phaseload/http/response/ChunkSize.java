package io.phaseload.http.response;

/** The line before a chunk (RFC 9112 §7.1): its size in hexadecimal digits, and extensions. */
final class ChunkSize {

    private ChunkSize() {}

    /** Reads a line, without its end; returns how many bytes come next. */
    static long read(byte[] line, int from, int to) throws MalformedException {
        int end = from;
        while (end < to && line[end] != ';') {
            end++;
        }
        while (end > from && HeaderRules.isBlank(line[end - 1])) {
            end--;
        }
        if (from < end && line[from] == '-') {
            throw MalformedException.of("Negative chunk size", line, from, to);
        }
        long size = 0;
        for (int i = from; i < end; i++) {
            int digit = Character.digit(line[i], 16);
            if (digit < 0 || size > Long.MAX_VALUE >> 5) {
                throw MalformedException.of("Bad chunk header", line, from, to);
            }
            size = size << 4 | digit;
        }
        if (from == end) {
            throw MalformedException.of("Bad chunk header", line, from, to);
        }
        return size;
    }
}
