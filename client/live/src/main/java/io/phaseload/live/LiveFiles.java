package io.phaseload.live;

import io.phaseload.report.charts.Resources;
import io.phaseload.report.charts.Theme;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The files of the page: its own, and the look, the charts and the libraries of the report. */
final class LiveFiles {

    /** Nothing from elsewhere, and no script but these files. */
    static final String POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; connect-src 'self';"
            + " style-src 'self' 'unsafe-inline'; img-src data:; script-src 'self'";

    /** The charts that grow. */
    private static final List<String> CHARTS = List.of("throughput", "latency", "failures", "client", "server");

    record File(String type, String text) {}

    private static final String SCRIPT = "text/javascript; charset=utf-8";

    private final Map<String, File> own = Map.of(
            "", new File("text/html; charset=utf-8", Resources.text("live.html")),
            "fitting.js", new File(SCRIPT, Resources.text("fitting.js")),
            "live.js", new File(SCRIPT, Resources.text("live.js")),
            "live.css", new File("text/css; charset=utf-8", css()),
            "charts.json", new File("application/json", charts()));

    /** A file by its name in the page's folder; empty if there is none. */
    Optional<File> named(String name) {
        if (List.of("vega.min.js", "vega-lite.min.js", "vega-interpreter.js").contains(name)) {
            return Optional.of(new File(SCRIPT, Resources.text("charts/vendor/" + name)));
        }
        return Optional.ofNullable(own.get(name));
    }

    private static String css() {
        return Resources.text("page.css") + new Theme().css() + Resources.text("live.css");
    }

    private static String charts() {
        ObjectNode all = JsonMapper.shared().createObjectNode();
        all.set("config", new Theme().config());
        CHARTS.forEach(
                name -> all.set(name, JsonMapper.shared().readTree(Resources.text("charts/" + name + ".vl.json"))));
        return all.toString();
    }
}
