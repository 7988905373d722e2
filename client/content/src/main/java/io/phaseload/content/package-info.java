/**
 * Contents of bodies, decoded and searched by libraries that only some journeys need. {@code io.phaseload.journey}
 * finds it on the class path.
 *
 * <p>Anything that is prepared once a run is thread-safe: all users share it. Bodies are at most a MiB, and nothing
 * here may search in one for ever: on event loops all users of a loop would wait.
 */
package io.phaseload.content;
