package io.phaseload.cli.watch;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.Inputs;
import io.phaseload.cli.folders.OutputFile;
import io.phaseload.engine.Listeners;
import io.phaseload.files.FileProblem;
import io.phaseload.live.Control;
import io.phaseload.live.JsonLines;
import io.phaseload.live.LivePage;
import io.phaseload.live.LiveServer;
import io.phaseload.live.RequestsFile;
import io.phaseload.metrics.OtlpOutput;
import io.phaseload.metrics.PrometheusOutput;
import io.phaseload.options.Quantities;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.report.RunPage;
import io.phaseload.result.Environment;
import io.phaseload.run.RunListener;
import io.phaseload.run.Steering;
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
    private final List<LiveServer> servers = new ArrayList<>();
    private final Control control = Control.ofScripts();
    private Optional<LivePage> live = Optional.empty();
    private final List<Runnable> ends = new ArrayList<>();

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

    /**
     * Opens the page of a sweep.
     *
     * @param err gets a line for the page
     * @throws UsageException if a value is wrong or a port is taken
     */
    public static Outputs ofSweep(LiveOptions page, PrintStream err) {
        WatchOptions options = new WatchOptions(page);
        Outputs outputs = new Outputs(err);
        if (page.live != null) {
            outputs.serve(options, Optional.empty());
        } else if (page.controlToken != null) {
            throw new UsageException(LiveOptions.CONTROL_TOKEN + ": needs " + LiveOptions.LIVE);
        }
        return outputs;
    }

    /** {@return the page, if one was asked for} */
    public Optional<LivePage> page() {
        return live;
    }

    private void open(WatchOptions options, Plan plan, PrintStream out) {
        String version = Environment.currentVersion();
        if (options.stream) {
            listeners.add(new JsonLines(plan, out));
        }
        if (options.page.live != null || options.control != null) {
            serve(options, Optional.of(plan));
        } else if (options.page.controlToken != null) {
            throw new UsageException(
                    "%s: needs %s or %s", LiveOptions.CONTROL_TOKEN, LiveOptions.LIVE, WatchOptions.CONTROL);
        }
        if (options.otlp != null) {
            OtlpOutput metrics = new OtlpOutput(plan, url(options.otlp), headers(options.otlpHeaders), version);
            listeners.add(metrics);
            ends.add(() -> {
                metrics.close();
                metrics.failure().ifPresent(why -> err.println(WatchOptions.OTLP + ": " + why));
            });
        } else if (!options.otlpHeaders.isEmpty()) {
            throw new UsageException(WatchOptions.OTLP_HEADER + ": needs " + WatchOptions.OTLP + " URL");
        }
        if (options.prometheus != null) {
            serve(ListenAddress.of(WatchOptions.PROMETHEUS, options.prometheus), plan, version);
        }
        OutputFile file = OutputFile.of(WatchOptions.REQUESTS_OUT, options.requestsOut);
        if (file.path() != null) {
            RequestsFile requests = new RequestsFile(plan, file.path(), limit(options));
            listeners.add(requests);
            ends.add(() -> {
                requests.close();
                requests.incomplete().ifPresent(why -> err.println(WatchOptions.REQUESTS_OUT + ": " + why));
            });
        } else if (options.requestsLimit != null) {
            throw new UsageException(WatchOptions.REQUESTS_LIMIT + ": needs " + WatchOptions.REQUESTS_OUT + " FILE");
        }
    }

    private static RequestsFile.RowLimit limit(WatchOptions options) {
        String text = options.requestsLimit;
        if (text == null) {
            return new RequestsFile.RowLimit(WatchOptions.MOST_ROWS, 1);
        }
        try {
            return text.endsWith("%")
                    ? new RequestsFile.RowLimit(Long.MAX_VALUE, Quantities.parsePercent(text) / 100)
                    : new RequestsFile.RowLimit(Quantities.parseCount(text, 1), 1);
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "%s %s: expected a count such as 100k, or a share such as 1%%", WatchOptions.REQUESTS_LIMIT, text);
        }
    }

    /** One server for both, if they have the same address. */
    private void serve(WatchOptions options, Optional<Plan> plan) {
        Optional<String> token = Optional.ofNullable(options.page.controlToken).map(Outputs::token);
        Optional<ListenAddress> page =
                Optional.ofNullable(options.page.live).map(text -> ListenAddress.of(LiveOptions.LIVE, text));
        Optional<ListenAddress> scripts =
                Optional.ofNullable(options.control).map(text -> ListenAddress.of(WatchOptions.CONTROL, text));
        boolean same = page.isPresent() && page.map(ListenAddress::socket).equals(scripts.map(ListenAddress::socket));
        page.ifPresent(address -> {
            LiveServer server = listen(LiveOptions.LIVE, address, token);
            LivePage watched = new LivePage();
            live = Optional.of(watched);
            plan.ifPresent(of -> listeners.add(watched.run(of, "")));
            err.println("Live: " + address.url(server.port(), shown(server, token)));
            if (same) {
                server.serve(control, watched);
                err.println("Control: " + address.url(server.port(), shown(server, token) + "control"));
            } else {
                server.serve(watched);
            }
        });
        if (!same) {
            scripts.ifPresent(address -> {
                LiveServer server = listen(WatchOptions.CONTROL, address, token);
                server.serve(control);
                err.println("Control: " + address.url(server.port(), shown(server, token) + "control"));
            });
        }
    }

    /** The path of a server; a token that was given is a secret, and standard error may be a log. */
    private static String shown(LiveServer server, Optional<String> token) {
        return token.isPresent() ? "/TOKEN/" : server.path();
    }

    private LiveServer listen(String option, ListenAddress address, Optional<String> token) {
        try {
            LiveServer server = new LiveServer(address.socket(), token);
            servers.add(server);
            return server;
        } catch (IOException e) {
            throw taken(option, address, e);
        }
    }

    private static String token(String given) {
        String option = LiveOptions.CONTROL_TOKEN;
        if (!given.startsWith("env:") && !given.startsWith("@")) {
            throw new UsageException(option + ": expected @FILE or env:NAME, which keep it out of the command line");
        }
        String token = new Inputs().referenced(given, option + " " + given).strip();
        if (!token.matches("[A-Za-z0-9_-]{16,200}")) {
            throw new UsageException("%s %s: expected 16 to 200 letters, digits, - and _", option, given);
        }
        return token;
    }

    private static UsageException taken(String option, ListenAddress address, IOException why) {
        return new UsageException(
                "%s %s:%d: %s", option, address.host(), address.socket().getPort(), FileProblem.of(why));
    }

    private void serve(ListenAddress address, Plan plan, String version) {
        try {
            PrometheusOutput page = new PrometheusOutput(plan, address.socket(), version);
            err.println("Metrics: " + address.url(page.port(), "/metrics"));
            listeners.add(page);
            ends.add(page::close);
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
            UsageException.throwIf(colon <= 0, WatchOptions.OTLP_HEADER + ": expected 'Name: value'");
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
     * @param run changes its load
     */
    public void begin(String target, Path folder, Steering run) {
        control.begin(run);
        live.ifPresent(page -> page.begin(target, folder, run));
    }

    /** The page of the results has been written into the folder. */
    public void finished(Path folder) {
        live.ifPresent(page -> {
            try {
                page.finished(Files.readString(folder.resolve(RunPage.FILE)));
            } catch (IOException e) {
                err.println(LiveOptions.LIVE + ": " + FileProblem.of(e));
            }
        });
    }

    /** Sends the rest, and prints the reason if some figures didn't arrive. */
    @Override
    public void close() {
        live.ifPresent(LivePage::close);
        servers.forEach(LiveServer::close);
        ends.forEach(Runnable::run);
    }
}
