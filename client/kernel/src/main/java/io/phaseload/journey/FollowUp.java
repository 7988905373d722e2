package io.phaseload.journey;

/**
 * A request that a response asks for.
 *
 * @param method of it
 * @param path of it, with its query
 * @param withBody true if it has the body of the one before
 */
public record FollowUp(String method, String path, boolean withBody) {}
