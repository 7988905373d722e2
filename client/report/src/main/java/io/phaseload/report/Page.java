package io.phaseload.report;

import io.phaseload.report.cells.Table;
import io.phaseload.report.charts.Chart;
import io.phaseload.report.charts.Resources;
import io.phaseload.report.charts.Theme;
import io.phaseload.report.pictures.Pictures;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * A self-contained page, which works from a disk and without a network. Its content security policy forbids the browser
 * to load anything, and to run any scripts other than those with a known hash.
 */
final class Page {

    /** Below charts. */
    static final String NO_SCRIPT =
            "<noscript><p>More charts need JavaScript. As pictures: <code>phaseload report FOLDER --svg DIR</code>"
                    + " (<code>compare</code> for a comparison).</p></noscript>\n";

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** Packed and hashed once for all pages, which takes longer than all else on a page. */
    private static final class PageLibraries {

        static final List<String> TEXTS = Stream.of("vega.min", "vega-lite.min", "vega-interpreter")
                .map(name -> Resources.text("charts/vendor/" + name + ".js"))
                .toList();

        static final List<String> PACKED = TEXTS.stream().map(Page::packed).toList();

        static final List<String> HASHES = TEXTS.stream().map(Page::hash).toList();
    }

    private final String title;
    private final List<Table> tables;
    private final List<Chart> shown = new ArrayList<>();
    private final Map<String, String> contents = new LinkedHashMap<>();
    private final Theme theme = new Theme();
    private final List<String> later = new ArrayList<>();
    private final StringBuilder header = new StringBuilder();
    private final StringBuilder main = new StringBuilder();

    /**
     * Creates an empty page.
     *
     * @param title for the window
     * @param tables the tables that charts may show
     */
    Page(String title, List<Table> tables) {
        this.title = title;
        this.tables = tables;
    }

    /** Adds HTML above the table of contents. */
    Page header(String html) {
        header.append(html);
        return this;
    }

    /** Adds a section above the table of contents, unless it is empty. */
    Page first(String id, String heading, String body) {
        header.append(body.isEmpty() ? "" : html(id, heading, body));
        return this;
    }

    /** Adds a section, unless it is empty; {@code body} is HTML. */
    Page section(String id, String heading, String body) {
        if (!body.isEmpty()) {
            contents.put(id, heading);
            main.append(html(id, heading, body));
        }
        return this;
    }

    private static String html(String id, String heading, String body) {
        return """
               <section id="%1$s" aria-labelledby="%1$s-heading">
               <h2 id="%1$s-heading"><bdi>%2$s</bdi></h2>
               %3$s</section>
               """
                .formatted(id, Html.text(heading), body);
    }

    /** Adds a section with those charts that have something to show, and HTML below them. */
    Page charts(String id, String heading, List<Chart> charts, String below) {
        String figures = figures(charts);
        return figures.isEmpty() ? this : section(id, heading, figures + NO_SCRIPT + below);
    }

    /** Those charts that have something to show, for a section that has {@link #NO_SCRIPT}. */
    String figures(List<Chart> charts) {
        List<Chart> some =
                charts.stream().filter(chart -> !table(chart).isEmpty()).toList();
        shown.addAll(some);
        return some.stream()
                .map(chart -> figure(chart, Pictures.sketch(tables, theme, chart.name())))
                .collect(Collectors.joining());
    }

    private String contents() {
        return contents.entrySet().stream()
                .map(of ->
                        "<li><a href=\"#%s\"><bdi>%s</bdi></a></li>\n".formatted(of.getKey(), Html.text(of.getValue())))
                .collect(Collectors.joining("", "<nav aria-label=\"Contents\"><ul>\n", "</ul></nav>\n"));
    }

    /** A chart that a script draws when its reader asks for it; nothing, if it has no data. */
    String later(Chart chart) {
        if (table(chart).isEmpty()) {
            return "";
        }
        shown.add(chart);
        return figure(chart, "").replaceFirst("<figure ", "<figure hidden ");
    }

    /** HTML that only a script shows, packed. */
    String later(String html) {
        later.add(html);
        return "<div data-later=\"%d\"></div>\n".formatted(later.size() - 1);
    }

    private Table table(Chart chart) {
        return Table.named(tables, chart.table());
    }

    /** With {@code sketch} in it until a script draws it; without either it isn't seen. */
    private String figure(Chart chart, String sketch) {
        return """
               <figure id="chart-%1$s" data-chart="%1$s" data-tables="%7$s" aria-labelledby="title-%1$s" \
               aria-describedby="about-%1$s">
               <h3 id="title-%1$s">%2$s</h3>
               <p class="about" id="about-%1$s">%3$s</p>
               <div class="chart">%6$s</div>
               <details data-table="%4$s"><summary>Data: %5$d rows</summary></details>
               </figure>
               """
                .formatted(
                        chart.name(),
                        Html.text(chart.title()),
                        Html.text(chart.description()),
                        chart.table(),
                        table(chart).rows().size(),
                        sketch,
                        String.join(" ", chart.specification().findValuesAsString("name")));
    }

    /** The whole page. */
    String write() {
        String script = Resources.text("fitting.js") + Resources.text("page.js");
        return """
               <!DOCTYPE html>
               <html lang="en">
               <head>
               <meta charset="utf-8">
               <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
               base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'; img-src data:; script-src %s">
               <meta name="viewport" content="width=device-width, initial-scale=1">
               <meta name="color-scheme" content="light dark">
               <title>%s</title>
               <style>
               %s%s</style>
               </head>
               <body>
               <a class="skip" href="#main">Skip to the figures</a>
               <main id="main">
               %s%s%s</main>
               <script type="text/plain" id="data">%s</script>
               <script type="text/plain" id="later">%s</script>
               <script type="application/json" id="charts-json">%s</script>
               <!-- Vega and Vega-Lite, University of Washington Interactive Data Lab, BSD-3-Clause; what they \
               bundle: MIT, ISC and BSD; all texts are in charts/vendor/LICENSES of Phaseload. -->
               %s<script>%s</script>
               </body>
               </html>
               """
                .formatted(
                        Stream.concat(PageLibraries.HASHES.stream(), Stream.of(hash(script)))
                                .collect(Collectors.joining(" ")),
                        Html.text(title),
                        Resources.text("page.css"),
                        theme.css(),
                        header,
                        contents(),
                        main,
                        packed(Table.compact(used())),
                        packed(MAPPER.writeValueAsString(later)),
                        charts(),
                        IntStream.range(0, PageLibraries.PACKED.size())
                                .mapToObj(i -> "<script type=\"text/plain\" id=\"library-%d\">%s</script>\n"
                                        .formatted(i, PageLibraries.PACKED.get(i)))
                                .collect(Collectors.joining()),
                        script);
    }

    /** The tables that the charts on this page need. */
    private List<Table> used() {
        return tables.stream()
                .filter(table -> shown.stream().anyMatch(chart -> chart.specification()
                                .findValuesAsString("name")
                                .contains(table.name()))
                        || table.name().equals("times"))
                .toList();
    }

    private String charts() {
        Map<String, Object> charts = new LinkedHashMap<>();
        charts.put("config", theme.config());
        shown.forEach(chart -> charts.put("chart-" + chart.name(), chart.specification()));
        return Table.escaped(MAPPER.writeValueAsString(charts));
    }

    /** As gzip in base64, which a script unpacks. */
    private static String packed(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out) {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        }) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(out.toByteArray());
    }

    private static String hash(String script) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
