package io.phaseload.plan.journey;

import io.phaseload.input.Args;
import java.util.Optional;

/**
 * The HTTP session of a journey's user, within an iteration. Without it they send their steps and nothing else.
 *
 * @param cookies true if cookies that responses set are sent from then on (RFC 6265)
 * @param redirects the most redirects in a row, within the target: 0 to 50
 * @param decompress true if {@code gzip} and {@code deflate} are asked for, and {@code br} and {@code zstd} if
 *     {@code phaseload-content} is there; a body is decoded where a check or an extraction looks at it
 * @param cache true if a {@code GET} whose response had an {@code ETag} or a {@code Last-Modified} asks the next time
 *     whether that has changed (RFC 9110 §13); if not, checks and extractions look at the response that is kept
 * @param credentials a template of {@code NAME:PASSWORD}: the answer to challenges, Basic or Digest
 */
public record SessionRules(
        boolean cookies, int redirects, boolean decompress, boolean cache, Optional<String> credentials) {

    /** Nothing is remembered or followed. */
    public static final SessionRules NONE = new SessionRules(false, 0, false, false, Optional.empty());

    /**
     * Checks the number and the template.
     *
     * @throws IllegalArgumentException naming what is out of range or can't be read
     */
    public SessionRules {
        Args.range("redirects", redirects, 0, 50);
        credentials.map(Template::parse);
    }

    /** {@return true if a response may ask for another request: a redirect, or a challenge} */
    public boolean followUps() {
        return redirects > 0 || credentials.isPresent();
    }

    /**
     * Whether it writes a header of requests.
     *
     * @param header its name
     * @return {@code true} for {@code Cookie}, {@code Authorization} and the headers of conditional requests, if it has
     *     them
     */
    public boolean writes(String header) {
        return cache && (header.equalsIgnoreCase("If-None-Match") || header.equalsIgnoreCase("If-Modified-Since"))
                || cookies && header.equalsIgnoreCase("Cookie")
                || credentials.isPresent() && header.equalsIgnoreCase("Authorization");
    }

    /** {@return true if HttpClient's rules are needed for it} */
    public boolean remembers() {
        return cookies || followUps();
    }
}
