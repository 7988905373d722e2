package io.phaseload.cli.watch;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.Inputs;
import io.phaseload.cli.folders.OutputFile;
import io.phaseload.engine.Listeners;
import io.phaseload.live.JsonLines;
import io.phaseload.live.LivePage;
import io.phaseload.live.RequestsFile;
import io.phaseload.metrics.OtlpOutput;
import io.phaseload.metrics.PrometheusOutput;
import io.phaseload.options.Quantities;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.report.RunPage;
import io.phaseload.result.Environment;
import io.phaseload.result.json.FileProblem;
import io.phaseload.run.RunListener;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All that watches a run by options of its command: they receive its figures as it goes on. */
public final class Outputs implements AutoCloseable {

    private final PrintStream err;
    private final List<RunListener> listeners = new ArrayList<>();
    private Optional<LivePage> live = Optional.empty();
    private Optional<OtlpOutput> otlp = Optional.empty();
    private Optional<PrometheusOutput> prometheus = Optional.empty();
    private Optional<RequestsFile> rows = Optional.empty();

    private Outputs(PrintStream err) {
        this.err = err;
    }

    /**
     * Opens what the options ask for.
     *
     * @param out standard output, for JSON Lines
     * @param err gets a line for a page that was opened, and for each output that failed
     * @throws UsageException if a value is wrong or a port is taken
     */
    public static Outputs open(WatchOptions options, Plan plan, PrintStream out, PrintStream err) {
        Outputs outputs = new Outputs(err);
        try {
            outputs.open(options, plan, out);
            return outputs;
        } catch (UsageException e) {
            outputs.close();
            throw e;
        }
    }

    private void open(WatchOptions options, Plan plan, PrintStream out) {
        String version = Environment.currentVersion();
        if (options.stream) {
            listeners.add(new JsonLines(plan, out));
        }
        if (options.live != null) {
            live(ListenAddress.of(WatchOptions.LIVE, options.live), plan);
        }
        if (options.otlp != null) {
            OtlpOutput metrics = new OtlpOutput(plan, url(options.otlp), headers(options.otlpHeaders), version);
            otlp = Optional.of(metrics);
            listeners.add(metrics);
        } else if (!options.otlpHeaders.isEmpty()) {
            throw new UsageException(WatchOptions.OTLP_HEADER + ": needs " + WatchOptions.OTLP + " URL");
        }
        if (options.prometheus != null) {
            serve(ListenAddress.of(WatchOptions.PROMETHEUS, options.prometheus), plan, version);
        }
        OutputFile file = OutputFile.of(WatchOptions.REQUESTS_OUT, options.requestsOut);
        if (file.path() != null) {
            RequestsFile requests = new RequestsFile(plan, file.path(), limit(options));
            rows = Optional.of(requests);
            listeners.add(requests);
        } else if (options.requestsLimit != null) {
            throw new UsageException(WatchOptions.REQUESTS_LIMIT + ": needs " + WatchOptions.REQUESTS_OUT + " FILE");
        }
    }

    private static RequestsFile.Limit limit(WatchOptions options) {
        String text = options.requestsLimit;
        if (text == null) {
            return new RequestsFile.Limit(WatchOptions.MOST_ROWS, 1);
        }
        try {
            return text.endsWith("%")
                    ? new RequestsFile.Limit(Long.MAX_VALUE, Quantities.parsePercent(text) / 100)
                    : new RequestsFile.Limit(Quantities.parseCount(text, 1), 1);
        } catch (IllegalArgumentException e) {
            throw new UsageException("%s %s: expected a count such as 100k, or a share such as 1%%"
                    .formatted(WatchOptions.REQUESTS_LIMIT, text));
        }
    }

    private void live(ListenAddress address, Plan plan) {
        try {
            LivePage page = new LivePage(plan, address.socket());
            err.println("Live: " + address.url(page.port(), page.path()));
            live = Optional.of(page);
            listeners.add(page);
        } catch (IOException e) {
            throw taken(WatchOptions.LIVE, address, e);
        }
    }

    private static UsageException taken(String option, ListenAddress address, IOException why) {
        return new UsageException("%s %s:%d: %s"
                .formatted(option, address.host(), address.socket().getPort(), FileProblem.of(why)));
    }

    private void serve(ListenAddress address, Plan plan, String version) {
        try {
            PrometheusOutput page = new PrometheusOutput(plan, address.socket(), version);
            err.println("Metrics: " + address.url(page.port(), "/metrics"));
            prometheus = Optional.of(page);
            listeners.add(page);
        } catch (IOException e) {
            throw taken(WatchOptions.PROMETHEUS, address, e);
        }
    }

    private static URI url(String text) {
        String expected = "expected a URL such as http://localhost:4318";
        URI url = Checked.value(WatchOptions.OTLP, text, URI::create, expected);
        if (url.getHost() == null || !List.of("http", "https").contains(url.getScheme())) {
            throw new UsageException(WatchOptions.OTLP + " " + text + ": " + expected);
        }
        return url;
    }

    private static Map<String, String> headers(List<String> given) {
        Inputs inputs = new Inputs();
        Map<String, String> headers = new LinkedHashMap<>();
        for (String each : given) {
            String line = each.startsWith("env:") || each.startsWith("@")
                    ? inputs.referenced(each, WatchOptions.OTLP_HEADER + " " + each)
                            .strip()
                    : each;
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new UsageException(WatchOptions.OTLP_HEADER + ": expected 'Name: value'");
            }
            headers.put(
                    line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        }
        return headers;
    }

    /** {@return all of them as one} */
    public RunListener listener() {
        return new Listeners(listeners);
    }

    /**
     * The run begins to be measured.
     *
     * @param target its target's address
     * @param folder its results folder
     * @param stop ends it in order
     */
    public void begin(String target, Path folder, Runnable stop) {
        live.ifPresent(page -> page.begin(target, folder, stop));
    }

    /** The page of the results has been written into the folder. */
    public void finished(Path folder) {
        live.ifPresent(page -> {
            try {
                page.finished(Files.readString(folder.resolve(RunPage.FILE)));
            } catch (IOException e) {
                err.println(WatchOptions.LIVE + ": " + FileProblem.of(e));
            }
        });
    }

    /** Sends the rest, and prints the reason if some figures didn't arrive. */
    @Override
    public void close() {
        live.ifPresent(LivePage::close);
        otlp.ifPresent(OtlpOutput::close);
        otlp.flatMap(OtlpOutput::failure).ifPresent(why -> err.println(WatchOptions.OTLP + ": " + why));
        rows.ifPresent(RequestsFile::close);
        rows.flatMap(RequestsFile::incomplete).ifPresent(why -> err.println(WatchOptions.REQUESTS_OUT + ": " + why));
        prometheus.ifPresent(PrometheusOutput::close);
    }
}
