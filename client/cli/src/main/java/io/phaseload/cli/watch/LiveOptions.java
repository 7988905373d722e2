package io.phaseload.cli.watch;

import io.phaseload.options.Heading;
import org.kohsuke.args4j.Option;

/** The options for a page of a run or a sweep while it goes on. */
public final class LiveOptions {

    static final String LIVE = "--live";
    static final String CONTROL_TOKEN = "--control-token";

    @Heading("While it runs")
    @Option(
            name = LIVE,
            metaVar = "[HOST:]PORT",
            usage = "a page in the browser, by the link that is printed; on this machine alone unless HOST says"
                    + " otherwise")
    String live;

    @Option(
            name = CONTROL_TOKEN,
            metaVar = "@FILE|env:NAME",
            usage = "the token in that link and in that of --control: 16 letters, digits, - and _ or more (random)")
    String controlToken;
}
