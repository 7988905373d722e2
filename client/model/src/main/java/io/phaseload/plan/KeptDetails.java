package io.phaseload.plan;

import io.phaseload.options.ValueException;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * The details of requests that results keep.
 *
 * @param tracedPercent the part of journeys, or of requests without journeys, that are sent as traces (W3C Trace
 *     Context): 0 to 100 %
 * @param traceUrl the address of a trace, with {@code {trace}} in the place of its id
 * @param headers the names of headers of responses, which kept requests have
 */
public record KeptDetails(double tracedPercent, Optional<String> traceUrl, List<String> headers) {

    /** Neither traces nor headers. */
    public static final KeptDetails NONE = new KeptDetails(0, Optional.empty(), List.of());

    private static final String TRACE = "{trace}";

    /**
     * Checks every part.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public KeptDetails {
        if (!(tracedPercent >= 0 && tracedPercent <= 100)) {
            throw new ValueException("traced", "0%% to 100%%, got %s%%".formatted(tracedPercent));
        }
        traceUrl.ifPresent(KeptDetails::checkUrl);
        headers = List.copyOf(headers);
        headers.forEach(KeptDetails::checkName);
    }

    /**
     * Checks the address of traces.
     *
     * @return the text
     * @throws IllegalArgumentException if it isn't an HTTP URL with {@code {trace}}
     */
    public static String checkUrl(String text) {
        Optional<URI> url = text.contains(TRACE) ? uri(text.replace(TRACE, "0")) : Optional.empty();
        if (url.isEmpty()) {
            throw new ValueException("an http:// or https:// address with {trace}");
        }
        return text;
    }

    private static Optional<URI> uri(String text) {
        try {
            return Optional.of(URI.create(text))
                    .filter(uri ->
                            uri.getHost() != null && List.of("http", "https").contains(uri.getScheme()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Checks the name of a header.
     *
     * @return the name
     * @throws IllegalArgumentException if no header has such a name
     */
    public static String checkName(String name) {
        if (!Header.TOKEN.matcher(name).matches()) {
            throw new ValueException("the name of a header");
        }
        return name;
    }

    /**
     * The address of a trace.
     *
     * @param id the trace's
     * @return empty without {@link #traceUrl()}
     */
    public Optional<String> url(String id) {
        return traceUrl.map(url -> url.replace(TRACE, id));
    }
}
