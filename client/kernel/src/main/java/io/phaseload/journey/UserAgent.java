package io.phaseload.journey;

import org.jspecify.annotations.Nullable;

/**
 * HTTP's rules for what a user agent remembers and answers: cookies, redirects, challenges. One for each user and
 * journey, owned by the user's thread. Another module has it: see {@link UserAgentProvider}.
 */
public interface UserAgent {

    /** Forgets everything. */
    void clear();

    /**
     * Writes the lines that a request's header gets.
     *
     * @param method of the request
     * @param path of it, with its query
     * @param head its header, as far as it is written
     */
    void write(String method, String path, Bytes head);

    /**
     * Takes what a response says.
     *
     * @param method of the request
     * @param path of it, with its query
     * @param status of the response
     * @param head lines of its header, each with its end
     * @param followed the number of requests that were sent for the step since its own
     * @return the request to send for it; {@code null} if it is the last response
     * @throws NotFollowedException if it asks for one that isn't to be sent
     */
    @Nullable FollowUp answered(String method, String path, int status, byte[] head, int followed) throws NotFollowedException;
}
