package io.phaseload.cli.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lays out the help of a command for 80 columns. It consists of paragraphs, headings and entries; an entry is indented
 * by two spaces and describes an option.
 */
public final class Help {

    private static final int COLUMNS = 80;
    private static final Pattern ENTRY = Pattern.compile("  (\\S+(?: \\S+)*)(?: {2,}(\\S.*))?");
    private static final Pattern OPTION = Pattern.compile("--?[A-Za-z][A-Za-z0-9-]*");

    /**
     * A part of the help.
     *
     * @param head the option of an entry; {@code null} if it is none
     * @param words of the rest
     */
    private record Part(String head, List<String> words) {

        boolean isEntry() {
            return head != null;
        }

        boolean isBlank() {
            return head == null && words.isEmpty();
        }

        boolean describes(Set<String> options) {
            return OPTION.matcher(head).results().map(match -> match.group()).anyMatch(options::contains);
        }
    }

    private final List<Part> parts = new ArrayList<>();

    /** The column where descriptions begin. */
    private int column;

    private Help(String text) {
        column = descriptions(text);
        for (String line : text.lines().toList()) {
            add(line);
        }
    }

    /** The whole text. */
    public static String full(String text) {
        Help help = new Help(text);
        return help.written(help.parts);
    }

    /**
     * The most common options, under their headings, after the first paragraph and the usage.
     *
     * @param options such as {@code --url}
     * @param end the last paragraph
     */
    public static String brief(String text, Set<String> options, String end) {
        Help help = new Help(text);
        List<Part> some = new ArrayList<>();
        Part heading = null;
        for (Part part : help.parts) {
            if (part.isEntry()) {
                if (part.describes(options)) {
                    if (heading != null) {
                        some.add(heading);
                        heading = null;
                    }
                    some.add(part);
                }
            } else if (some.size() < 4) {
                // The first paragraph and the usage, each with the blank line after it.
                some.add(part);
            } else {
                heading = part;
            }
        }
        some.add(new Part(null, List.of()));
        some.add(new Part(null, words(end)));
        return help.written(some);
    }

    private static int descriptions(String text) {
        return text.lines()
                .map(ENTRY::matcher)
                .filter(matcher -> matcher.matches() && matcher.group(2) != null)
                .mapToInt(matcher -> matcher.start(2))
                .findFirst()
                .orElse(0);
    }

    private void add(String line) {
        Matcher entry = ENTRY.matcher(line);
        if (entry.matches()) {
            addEntry(line, entry.group(1), entry.group(2));
        } else if (line.isBlank() || parts.isEmpty() || isNew(line)) {
            parts.add(new Part(null, new ArrayList<>(words(line))));
        } else {
            parts.get(parts.size() - 1).words().addAll(words(line));
        }
    }

    /** A line at the left continues a paragraph, but not an entry. */
    private boolean isNew(String line) {
        Part last = parts.get(parts.size() - 1);
        return !line.startsWith(" ") && (last.isEntry() || last.isBlank());
    }

    private void addEntry(String line, String head, String description) {
        boolean filled = description == null
                && column > 0
                && line.length() > column
                && line.charAt(column - 1) == ' '
                && !line.substring(0, column).contains(",");
        if (filled) {
            addEntry(line, line.substring(2, column - 1), line.substring(column));
        } else {
            parts.add(new Part(head, new ArrayList<>(description == null ? List.of() : words(description))));
        }
    }

    private static List<String> words(String line) {
        return line.isBlank() ? List.of() : Arrays.asList(line.strip().split(" +"));
    }

    private String written(List<Part> some) {
        StringBuilder out = new StringBuilder();
        for (Part part : some) {
            if (part.isEntry()) {
                writeEntry(part, out);
            } else {
                wrap(part.words(), "", 0, out);
            }
        }
        return out.toString();
    }

    private void writeEntry(Part part, StringBuilder out) {
        String head = "  " + part.head();
        if (head.length() > COLUMNS) {
            wrap(words(part.head()), "  ", 2, out);
            head = "";
        } else if (head.length() + 1 > column && !part.words().isEmpty()) {
            out.append(head).append('\n');
            head = "";
        }
        if (!part.words().isEmpty()) {
            wrap(part.words(), head + " ".repeat(column - head.length()), column, out);
        } else if (!head.isEmpty()) {
            out.append(head).append('\n');
        }
    }

    private static void wrap(List<String> words, String start, int indent, StringBuilder out) {
        StringBuilder line = new StringBuilder(start);
        boolean empty = true;
        for (String word : words) {
            if (!empty && line.length() + 1 + word.length() > COLUMNS) {
                out.append(line).append('\n');
                line = new StringBuilder(" ".repeat(indent));
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        out.append(line).append('\n');
    }
}
