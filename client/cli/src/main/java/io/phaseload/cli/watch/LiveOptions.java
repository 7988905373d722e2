package io.phaseload.cli.watch;

import org.kohsuke.args4j.Option;

/** The options for a page of a run or a sweep while it goes on. */
public final class LiveOptions {

    static final String LIVE = "--live";
    static final String CONTROL_TOKEN = "--control-token";

    @Option(name = LIVE)
    String live;

    @Option(name = CONTROL_TOKEN)
    String controlToken;
}
