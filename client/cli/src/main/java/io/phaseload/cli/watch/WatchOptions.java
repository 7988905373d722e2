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

    @Option(
            name = CONTROL,
            metaVar = "[HOST:]PORT",
            usage = "changes of the load by scripts, as JSON over HTTP at the address that is printed; the port of"
                    + " --live will do")
    String control;

    @Option(
            name = OTLP,
            metaVar = "URL",
            usage = "sends metrics to OpenTelemetry by OTLP over HTTP, every five seconds, such as to"
                    + " http://localhost:4318; --label adds attributes")
    String otlp;

    @Option(
            name = OTLP_HEADER,
            metaVar = "'NAME: VALUE'",
            usage = "sent with these metrics; may be repeated; @FILE or env:NAME reads such a line from a file or a"
                    + " variable, which keeps a secret out of the command line")
    List<String> otlpHeaders = new ArrayList<>();

    @Option(
            name = PROMETHEUS,
            metaVar = "[HOST:]PORT",
            usage = "serves metrics at /metrics for Prometheus, on this machine alone unless HOST says otherwise")
    String prometheus;

    @Option(name = STREAM, usage = "each second as a line of JSON on standard output, all else on standard error")
    boolean stream;

    @Option(
            name = TUI,
            usage = "the run on the whole terminal: rate and response times over time, their distribution, failures by"
                    + " cause, phases")
    boolean tui;

    @Option(
            name = REQUESTS_OUT,
            metaVar = "FILE",
            usage = "each request as a row of CSV; compressed if the name ends with .gz or .zst")
    String requestsOut;

    @Option(
            name = REQUESTS_LIMIT,
            metaVar = "N|N%",
            usage = "the most rows of it, or the share of requests that it has (10m)")
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
