package io.phaseload.options;

import org.kohsuke.args4j.CmdLineParser;

/** A bean with options that are not declared by annotations. */
public interface MoreOptions {

    /**
     * Adds them.
     *
     * @param parser has those with annotations already
     */
    void addTo(CmdLineParser parser);
}
