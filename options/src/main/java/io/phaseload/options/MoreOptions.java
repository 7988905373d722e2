package io.phaseload.options;

import org.kohsuke.args4j.CmdLineParser;

/** A bean with more options than its own annotations declare. */
public interface MoreOptions {

    /**
     * Adds them.
     *
     * @param parser has those that this bean's annotations declare
     */
    void addTo(CmdLineParser parser);
}
