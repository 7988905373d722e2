package io.phaseload.result.store;

import io.phaseload.timing.Timing;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The tag of a histogram in {@code latency.hlog}: {@code phase/operation/kind}. */
record HistogramTag(String phase, String operation, Timing timing) {

    static HistogramTag parse(String tag) {
        // Names of phases and kinds have no slash; those of operations may.
        int first = tag.indexOf('/');
        int last = tag.lastIndexOf('/');
        if (first < 0 || last == first) {
            throw new IllegalArgumentException("tag '%s': expected phase/operation/kind".formatted(tag));
        }
        String operation = tag.substring(first + 1, last).replace("+", "%2B");
        return new HistogramTag(
                tag.substring(0, first),
                URLDecoder.decode(operation, StandardCharsets.UTF_8),
                Timing.of(tag.substring(last + 1)));
    }

    @Override
    public String toString() {
        StringBuilder encoded = new StringBuilder();
        for (byte b : operation.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b < 0x7f && b != '%' && b != ',') {
                encoded.append((char) b);
            } else {
                encoded.append(String.format(Locale.ROOT, "%%%02X", b));
            }
        }
        return phase + "/" + encoded + "/" + timing.key();
    }
}
