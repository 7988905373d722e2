package io.phaseload.cli.watch;

import io.phaseload.options.UsageException;
import java.util.ArrayList;
import java.util.List;
import org.kohsuke.args4j.Option;

/** The options for a run that is watched while it goes on. */
public final class WatchOptions {

    /** The options of the page. */
    public final LiveOptions page;

    /** With the options of a page. */
    public WatchOptions(LiveOptions page) {
        this.page = page;
    }

    static final String CONTROL = "--control";
    static final String OTLP = "--otlp";
    static final String OTLP_HEADER = "--otlp-header";
    static final String PROMETHEUS = "--prometheus";

    static final String REQUESTS_OUT = "--requests-out";
    static final String REQUESTS_LIMIT = "--requests-limit";

    /** About 1 GB. */
    static final long MOST_ROWS = 10_000_000;

    /** The option for JSON Lines. */
    public static final String STREAM = "--stream";

    /** The option for the whole terminal. */
    public static final String TUI = "--tui";

    @Option(name = CONTROL)
    String control;

    @Option(name = OTLP)
    String otlp;

    @Option(name = OTLP_HEADER)
    List<String> otlpHeaders = new ArrayList<>();

    @Option(name = PROMETHEUS)
    String prometheus;

    @Option(name = STREAM)
    boolean stream;

    @Option(name = TUI)
    boolean tui;

    @Option(name = REQUESTS_OUT)
    String requestsOut;

    @Option(name = REQUESTS_LIMIT)
    String requestsLimit;

    /** Whether standard output is for data alone. */
    public boolean stream() {
        return stream;
    }

    /** Whether the run has the whole terminal. */
    public boolean tui() {
        return tui;
    }

    /** Refuses what agents don't send to their coordinator. */
    public void checkAgents() {
        UsageException.throwIf(control != null, CONTROL + " cannot be combined with --agents");
        UsageException.throwIf(requestsOut != null, REQUESTS_OUT + " cannot be combined with --agents");
    }
}
