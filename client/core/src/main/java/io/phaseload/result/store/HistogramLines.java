package io.phaseload.result.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Finds damage in {@code latency.hlog}, whose reader skips lines that it doesn't understand. */
final class HistogramLines {

    private static final Pattern ANY =
            Pattern.compile("#.*|\"StartTimestamp\".*|(?:Tag=[^,\\s]+,)?(?:[0-9.]+,){3}([A-Za-z0-9+/=]+)");

    private HistogramLines() {}

    /**
     * The first line that is neither a histogram nor a comment.
     *
     * @param log the file
     * @param missing true if any histogram is missing: then each is checked, which takes time, and the last line
     *     counts, which a killed run leaves incomplete
     * @return a text that names the line and the file; empty if there is none
     * @throws IOException if the file can't be read
     */
    static Optional<String> broken(Path log, boolean missing) throws IOException {
        // Any bytes are characters here, so that a line with other ones is just broken.
        try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.ISO_8859_1)) {
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = ANY.matcher(line);
                boolean whole = matcher.matches();
                String histogram = whole ? matcher.group(1) : null;
                if (!whole || histogram != null && missing && !isHistogram(histogram)) {
                    return missing || lines.readLine() != null
                            ? Optional.of("line %d of %s isn't a histogram".formatted(number, log.getFileName()))
                            : Optional.empty();
                }
                number++;
            }
        }
        return Optional.empty();
    }

    private static boolean isHistogram(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
            Histogram.decodeFromCompressedByteBuffer(bytes, 0);
            return true;
        } catch (DataFormatException | RuntimeException notOne) {
            return false;
        }
    }
}
