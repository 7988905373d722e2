package io.phaseload.report;

import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.LinkedText;
import io.phaseload.report.cells.Missing;
import io.phaseload.report.cells.Significant;
import io.phaseload.report.cells.Strong;
import io.phaseload.report.cells.Table;
import io.phaseload.report.text.ProofLines;
import io.phaseload.result.Environment;
import io.phaseload.stats.Effect;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Builds pieces of HTML; text from plans and targets is escaped by {@link #text}. */
final class Html {

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** From the first letter of such a script, or sign of such a direction, to the last. */
    private static final Pattern RIGHT_TO_LEFT = Pattern.compile("[R](?:[^\\p{IsLatin}]*[R])?"
            .replace(
                    "R",
                    "\\p{IsHebrew}\\p{IsArabic}\\p{IsSyriac}\\p{IsThaana}\\p{IsNko}"
                            + "\\u202a-\\u202e\\u2066-\\u2069"));

    /** As {@code DiagnosisLines} has them, escaped. */
    private static final String COMMAND =
            "\\b(?:curl|nc|getent) (?:-\\w+ |ahosts |[A-Z]+ )*(?:&#39;.*?&#39;|[^ ,;<]*[^ ,;:.<])(?: \\d+)?";

    private Html() {}

    /** Escapes text for an element or an attribute in double quotes. */
    static String text(Object value) {
        return String.valueOf(value)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** The name of a step, whose lines end behind its equals signs where there is little room. */
    static String step(String name) {
        return "<bdi>" + text(name).replace("=", "=<wbr>") + "</bdi>";
    }

    /** Words with names in them, of which those from right to left don't turn what is around them. */
    private static String sentence(String words) {
        return RIGHT_TO_LEFT.matcher(text(words)).replaceAll("<bdi>$0</bdi>");
    }

    /**
     * A table that scrolls sideways if it is too wide, with numbers right-aligned.
     *
     * @param caption the table's caption
     * @param table any
     */
    static String table(String caption, Table table) {
        return table(caption, table, "");
    }

    /** The same; nothing if it has no rows. */
    static String tableIfAny(String caption, Table table) {
        return table.isEmpty() ? "" : table(caption, table);
    }

    /** The same, which a script sorts and searches: there may be many rows. */
    static String sortable(String caption, Table table) {
        return table(caption, table, " data-sortable");
    }

    static String table(String caption, Table table, String attribute) {
        StringBuilder out = new StringBuilder();
        out.append("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: ")
                .append(text(caption))
                .append("\">\n<table")
                .append(attribute)
                .append(">\n<thead><tr>");
        for (Column column : table.columns()) {
            out.append("<th scope=\"col\"").append(align(column)).append('>');
            out.append(text(column.heading())).append("</th>");
        }
        out.append("</tr></thead>\n<tbody>\n");
        for (List<Object> row : table.rows()) {
            out.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                String tag = i == 0 ? "th" : "td";
                Markup cell = markup(table.columns().get(i), row.get(i));
                out.append('<').append(tag).append(i == 0 ? " scope=\"row\"" : "");
                out.append(cell.attributes()).append('>').append(cell.html());
                out.append("</").append(tag).append('>');
            }
            out.append("</tr>\n");
        }
        return out.append("</tbody>\n</table>\n</div>\n").toString();
    }

    /** A cell that is HTML already, with the attributes of its element. */
    record Markup(String attributes, String html) {}

    private static Markup markup(Column column, Object cell) {
        return cell instanceof Markup markup
                ? markup
                : new Markup(align(column) + exact(column, cell), cell(column, cell));
    }

    private static String align(Column column) {
        return column.isText() ? "" : " class=\"n\"";
    }

    private static String cell(Column column, Object cell) {
        boolean rounded = column.decimals() > 0 && cell instanceof Number;
        String text = text(rounded ? Significant.text(((Number) cell).doubleValue()) : column.writeGrouped(cell));
        if (cell instanceof LinkedText link) {
            return link(link.url(), link.text());
        }
        if (cell instanceof Strong) {
            return "<strong>" + text + "</strong>";
        }
        if (cell instanceof Missing) {
            return "<span class=\"few\">–</span>";
        }
        return column.isText() ? "<bdi>" + text + "</bdi>" : text;
    }

    /** A number to three digits keeps all its places for copies. */
    private static String exact(Column column, Object cell) {
        return column.decimals() > 0 && cell instanceof Number ? " data-v=\"" + column.write(cell) + "\"" : "";
    }

    /** A headline figure; {@code note} may be empty. */
    static String figure(String name, String value, String unit, String note) {
        return figure(name, value, unit, note, "");
    }

    static String figure(String name, String value, String unit, String note, String look) {
        return figure("", name, value, unit, note, look);
    }

    /** Figures beside each other. */
    static String figures(String all) {
        return "<dl class=\"figures\">\n" + all + "</dl>\n";
    }

    /** The look of a figure that changed so. */
    static String look(Effect.Word word) {
        return switch (word) {
            case WORSE -> "bad";
            case BETTER -> "good";
            default -> "";
        };
    }

    /** The same of an outcome, which a script may choose, and with a look: {@code doubt}, {@code bad} or none. */
    static String figure(String outcome, String name, String value, String unit, String note, String look) {
        return "<div%s%s><dt>%s</dt><dd>%s%s</dd>%s</div>\n"
                .formatted(
                        outcome.isEmpty() ? "" : " data-outcome=\"" + outcome + "\"",
                        look.isEmpty() ? "" : " class=\"" + look + "\"",
                        sentence(name),
                        text(value),
                        unit.isEmpty() ? "" : "&nbsp;<span class=\"unit\">" + text(unit) + "</span>",
                        note.isEmpty() ? "" : "<dd class=\"note\">" + sentence(note) + "</dd>");
    }

    /** Parts for some readers only. */
    static String details(String summary, String text) {
        return "<details><summary>%s</summary><pre tabindex=\"0\">%s</pre></details>\n"
                .formatted(text(summary), text(text));
    }

    /** The same of HTML. */
    static String fold(String summary, String body) {
        return "<details><summary>%s</summary>\n%s</details>\n".formatted(sentence(summary), body);
    }

    /** Words in a paragraph; nothing if there are none. */
    static String paragraph(String look, String words) {
        return words.isEmpty() ? "" : "<p class=\"%s\">%s</p>\n".formatted(look, sentence(words));
    }

    /** Words in a paragraph, in which commands can be seen. */
    static String command(String words) {
        return paragraph("", words).replaceAll(COMMAND, "<code>$0</code>");
    }

    /** The first of some lines, of which each is HTML, and the others folded. */
    static String first(int most, String others, List<String> lines) {
        String shown = "<ul class=\"causes\">\n"
                + lines.stream().limit(most).map(of -> "<li>" + of + "</li>\n").collect(Collectors.joining())
                + "</ul>\n";
        return lines.size() <= most
                ? shown
                : shown
                        + fold(
                                (lines.size() - most) + " more " + others,
                                first(lines.size(), others, lines.subList(most, lines.size())));
    }

    /** A heading in a line with more text. */
    static String lead(String heading, String more) {
        return "<b>%s</b>%s".formatted(sentence(heading), more.isEmpty() ? "" : " " + sentence(more));
    }

    static String list(List<String> items) {
        return items.stream()
                .map(item -> "<li>" + sentence(item) + "</li>\n")
                .collect(Collectors.joining("", "<ul>\n", "</ul>\n"));
    }

    /** Names and values; empty values are left out. */
    static String definitions(List<List<String>> pairs) {
        return pairs.stream()
                .filter(pair -> pair.get(1) != null && !pair.get(1).isEmpty())
                .map(pair -> "<div><dt>%s</dt><dd><bdi>%s</bdi></dd></div>\n"
                        .formatted(text(pair.get(0)), text(pair.get(1))))
                .collect(Collectors.joining("", "<dl class=\"facts\">\n", "</dl>\n"));
    }

    /** The head of a page; {@code status} is HTML, and {@code facts} are names with values. */
    static String header(String heading, String status, List<List<String>> facts) {
        return "<header>\n<h1>%s</h1>\n%s%s</header>\n".formatted(sentence(heading), status, definitions(facts));
    }

    /** The parts and operations that a script lets its reader choose: one choice for all of a page. */
    static String scope(List<String> titles, List<String> outcomes, List<String> operations) {
        String choices =
                choice("part", "Show", titles) + operation(operations) + choice("outcome", "Times of", outcomes);
        return choices.isEmpty() ? "" : "<div class=\"scope\" hidden>\n" + choices + "</div>\n";
    }

    private static String operation(List<String> names) {
        return names.size() < 2
                ? ""
                : names.stream()
                        .map(name -> "<option>" + text(name) + "</option>")
                        .collect(Collectors.joining(
                                "",
                                "<label>Operation <select name=\"only\"><option value=\"\">all</option>",
                                "</select></label>\n"));
    }

    private static String choice(String name, String legend, List<String> titles) {
        if (titles.size() < 2) {
            return "";
        }
        StringBuilder out = new StringBuilder("<fieldset class=\"choice\">\n<legend>" + legend + "</legend>\n");
        for (int i = 0; i < titles.size(); i++) {
            out.append("<label><input type=\"radio\" name=\"%s\" value=\"%d\"%s> %s</label>\n"
                    .formatted(name, i, i == 0 ? " checked" : "", text(titles.get(i))));
        }
        return out.append("</fieldset>\n").toString();
    }

    /** One of the parts of a choice, the first of which is shown; {@code body} is HTML. */
    static String part(int index, String title, String body) {
        return "<div data-part=\"%d\"%s>\n<h3 class=\"part\">%s</h3>\n%s</div>\n"
                .formatted(index, index == 0 ? "" : " hidden", text(title), body);
    }

    /** The same charts in two ways, between which a script lets its reader choose. */
    static String looks(String lines, String bars) {
        return lines.isEmpty()
                ? bars
                : "<div data-look=\"lines\">\n%s</div>\n<div data-look=\"bars\" hidden>\n%s</div>\n"
                        .formatted(lines, bars);
    }

    /** Charts beside each other where there is room. */
    static String beside(String charts) {
        return charts.isEmpty() ? "" : "<div class=\"beside\">\n" + charts + "</div>\n";
    }

    static String minute(Instant time) {
        return MINUTE.format(time);
    }

    /** A word with a colour, and with a sign for those who can't tell colours apart. */
    static String badge(String status, String text) {
        return "<span class=\"badge %s\">%s</span> ".formatted(look(status), sign(status) + text(text));
    }

    /** A badge with a number; nothing for 0. */
    static String count(String status, String text, long count) {
        return count == 0 ? "" : badge(status, text + ": " + count);
    }

    /** A status in a table. */
    static String status(String status) {
        return "<span class=\"%s\">%s</span>".formatted(look(status), sign(status) + text(status));
    }

    private static String look(String status) {
        return switch (status) {
            case "VALID", "PASS" -> "good";
            case "SUSPECT" -> "doubt";
            case "INVALID", "FAIL", "FAILED" -> "bad";
            default -> "plain";
        };
    }

    private static String sign(String status) {
        return switch (look(status)) {
            case "good" -> "✓ ";
            case "doubt" -> "! ";
            case "bad" -> "✗ ";
            default -> "";
        };
    }

    /** A link to another page. */
    static String link(String to, String text) {
        return "<a href=\"%s\">%s</a>".formatted(text(to), text(text));
    }

    /** The client's machine in a few words. */
    static String machine(Environment on) {
        return "%s, %d %s".formatted(on.host().orElse(on.os()), on.cores(), on.cores() == 1 ? "core" : "cores");
    }

    private static String missing(Map<String, String> figures) {
        return figures.entrySet().stream()
                .map(figure -> figure.getKey() + ": " + figure.getValue())
                .collect(Collectors.joining("; "));
    }

    /** Where something was measured, and further facts. */
    static String environment(Environment on, List<List<String>> more) {
        List<List<String>> pairs = new ArrayList<>();
        pairs.add(List.of("Phaseload", on.phaseloadVersion()));
        pairs.add(List.of("Host", on.host().orElse("")));
        pairs.add(List.of("System", on.os()));
        pairs.add(List.of("CPU", on.cpu().orElse("")));
        pairs.add(List.of("Cores", Integer.toString(on.cores())));
        pairs.add(List.of("JVM", on.jvm()));
        pairs.add(List.of("Heap limit", on.maxHeapMiB() + " MiB"));
        pairs.add(List.of("JVM flags", String.join(" ", on.jvmFlags())));
        pairs.add(List.of("Commit", on.gitCommit().orElse("")));
        pairs.add(List.of("Self-check", on.selfProof().map(ProofLines::sentence).orElse("")));
        pairs.addAll(more);
        if (on.missingFigures() != null && !on.missingFigures().isEmpty()) {
            pairs.add(List.of("Not known here", missing(on.missingFigures())));
        }
        pairs.add(List.of("Command line", String.join(" ", on.commandLine())));
        return definitions(pairs);
    }
}
