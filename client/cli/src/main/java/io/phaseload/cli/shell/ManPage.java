package io.phaseload.cli.shell;

import io.phaseload.options.OptionSpec;
import io.phaseload.result.Environment;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Manual pages in man(7). */
final class ManPage {

    private ManPage() {}

    /** The page of a command. */
    static String of(CommandPage page) {
        StringBuilder out = new StringBuilder(head("phaseload-" + page.name(), page.summary()));
        String[] parts = page.help().about().strip().split("\n\n");
        out.append(".SH SYNOPSIS\n.nf\n");
        parts[1].lines()
                .forEach(
                        line -> out.append(line(line.replaceFirst("^Usage:", "").strip())));
        out.append(".fi\n.SH DESCRIPTION\n").append(line(page.help().summary()));
        for (int i = 2; i < parts.length; i++) {
            out.append(parts[i].startsWith(" ") ? asItIs(parts[i]) : ".PP\n" + line(joined(parts[i])));
        }
        out.append(".SH OPTIONS\n");
        page.help().sections().forEach((heading, options) -> {
            if (!heading.isEmpty()) {
                out.append(".SS ").append(line(heading));
            }
            options.forEach(option -> out.append(entry(option)));
        });
        if (!page.help().end().isEmpty()) {
            out.append(".SH NOTES\n")
                    .append(Arrays.stream(page.help().end().split("\n\n"))
                            .map(paragraph -> line(joined(paragraph)))
                            .collect(Collectors.joining(".PP\n")));
        }
        return out.append(".SH SEE ALSO\n.BR phaseload (1)\n").toString();
    }

    /** The page of all commands. */
    static String overview(List<CommandPage> pages) {
        StringBuilder out = new StringBuilder(head("phaseload", "a phased, multithreaded HTTP load client"));
        out.append(".SH SYNOPSIS\n.nf\n")
                .append(line("phaseload [command] [options]"))
                .append(line("phaseload http://host/ [options of run]"))
                .append(".fi\n.SH DESCRIPTION\nEach command has a page of its own.\n");
        for (CommandPage page : pages) {
            out.append(".TP\n.BR phaseload\\-")
                    .append(page.name())
                    .append(" (1)\n")
                    .append(line(page.summary()));
        }
        return out.toString();
    }

    private static String head(String name, String summary) {
        return ".TH %s 1 \"\" \"Phaseload %s\"%n.SH NAME%n%s \\- %s%n"
                .formatted(
                        name.toUpperCase(Locale.ROOT), Environment.currentVersion(), escaped(name), escaped(summary));
    }

    private static String entry(OptionSpec option) {
        return ".TP\n\\fB%s\\fR%s%n%s"
                .formatted(
                        option.names().map(ManPage::escaped).collect(Collectors.joining("\\fR, \\fB")),
                        escaped(option.value()),
                        line(option.help()));
    }

    private static String asItIs(String lines) {
        return lines.lines()
                .map(line -> line(line.strip()))
                .collect(Collectors.joining("", ".PP\n.nf\n.RS\n", ".RE\n.fi\n"));
    }

    private static String joined(String text) {
        return String.join(" ", text.strip().split("\\s+"));
    }

    /** A line of text, which isn't a request whatever it begins with. */
    private static String line(String text) {
        String escaped = escaped(text);
        return (escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" : "") + escaped + "\n";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
    }
}
