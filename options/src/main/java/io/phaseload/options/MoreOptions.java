package io.phaseload.options;

import org.kohsuke.args4j.CmdLineParser;

/** A bean with options that it doesn't declare by annotations, since something else does. */
public interface MoreOptions {

    /**
     * Adds them.
     *
     * @param parser has those with annotations already
     */
    void addTo(CmdLineParser parser);
}
