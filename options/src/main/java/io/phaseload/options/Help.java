package io.phaseload.options;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The help of a command, made of its declared options.
 *
 * @param command its name
 * @param about a paragraph, then a blank line and the lines of usage; other lines that are indented stay as they are
 * @param options in order; hidden ones aren't listed
 * @param common long names of the options that most users need; empty for all of them
 * @param end paragraphs after the options
 * @param more options that the command has, but another command's help lists
 */
public record Help(
        String command, String about, List<OptionSpec> options, Set<String> common, String end, List<OptionSpec> more) {

    private static final int COLUMNS = 80;

    /** The last column where descriptions begin. */
    private static final int LAST_COLUMN = 25;

    /**
     * Help that lists all options of a command.
     *
     * @param command its name
     * @param about a paragraph, then a blank line and the lines of usage
     * @param options in order
     * @param end paragraphs after the options
     */
    public Help(String command, String about, List<OptionSpec> options, String end) {
        this(command, about, options, Set.of(), end, List.of());
    }

    /**
     * Help that lists some options of a command.
     *
     * @param command its name
     * @param about a paragraph, then a blank line and the lines of usage
     * @param all the options of the command, in order
     * @param listed the ones to list; another command's help lists the others
     * @param common long names of the options that most users need; empty for all of them
     * @param end paragraphs after the options
     * @return the help
     */
    public static Help of(
            String command,
            String about,
            List<OptionSpec> all,
            Predicate<OptionSpec> listed,
            Set<String> common,
            String end) {
        return new Help(
                command,
                about,
                all.stream().filter(listed).toList(),
                common,
                end,
                all.stream().filter(listed.negate()).toList());
    }

    /** Checks that each common option exists. */
    public Help {
        Set<String> names = options.stream().map(OptionSpec::name).collect(Collectors.toSet());
        if (!names.containsAll(common)) {
            throw new IllegalArgumentException(command + ": expected common options to be options: " + common);
        }
    }

    /**
     * The text for a terminal of 80 columns, with all options.
     *
     * @return lines that each end in a line feed
     */
    public String all() {
        return text(options) + (end.isEmpty() ? "" : "\n" + paragraphs(end));
    }

    /**
     * The same with the common options alone, if there are some.
     *
     * @return lines that each end in a line feed
     */
    public String brief() {
        if (common.isEmpty()) {
            return all();
        }
        // With the other options of an entry.
        Set<String> texts = options.stream()
                .filter(option -> common.contains(option.name()))
                .map(OptionSpec::help)
                .collect(Collectors.toSet());
        List<OptionSpec> some =
                options.stream().filter(option -> texts.contains(option.help())).toList();
        return text(some) + "\nphaseload " + command + " --help all lists all options.\n";
    }

    /**
     * The options that are listed, in sections.
     *
     * @return by heading, in the order of the first option of each section
     */
    public Map<String, List<OptionSpec>> sections() {
        return sections(options);
    }

    /**
     * All options that the command has.
     *
     * @return with those that another command's help lists
     */
    public Stream<OptionSpec> every() {
        return Stream.concat(options.stream(), more.stream()).filter(option -> !option.hidden());
    }

    /**
     * The first paragraph.
     *
     * @return on one line
     */
    public String summary() {
        return String.join(" ", about.split("\n\n")[0].split("\\s+"));
    }

    private static Map<String, List<OptionSpec>> sections(List<OptionSpec> options) {
        Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
        options.stream().filter(option -> !option.hidden()).forEach(option -> sections.computeIfAbsent(
                        option.heading(), heading -> new ArrayList<>())
                .add(option));
        return sections;
    }

    private String text(List<OptionSpec> some) {
        Map<String, List<OptionSpec>> sections = sections(some);
        // From all options, so that the brief help is a part of the whole.
        int column = sections(options).values().stream()
                .flatMap(section -> entries(section).keySet().stream())
                .mapToInt(head -> head.length() + 4)
                .filter(end -> end <= LAST_COLUMN + 1)
                .max()
                .orElse(LAST_COLUMN);
        StringBuilder out = new StringBuilder(paragraphs(about)).append('\n');
        sections.forEach((heading, section) -> {
            if (!heading.isEmpty()) {
                wrap(words(heading), "", 0, out);
            }
            entries(section).forEach((head, help) -> entry(head, help, Math.min(column, LAST_COLUMN), out));
        });
        return out.toString();
    }

    /** Options that follow one another and have the same help are one entry. */
    private static Map<String, String> entries(List<OptionSpec> section) {
        Map<String, String> entries = new LinkedHashMap<>();
        String head = "";
        String help = null;
        for (OptionSpec option : section) {
            boolean same = option.help().equals(help);
            if (same) {
                entries.remove(head);
            }
            head = same ? head + ", " + option.head() : option.head();
            help = option.help();
            entries.put(head, help);
        }
        return entries;
    }

    private static void entry(String head, String help, int column, StringBuilder out) {
        StringBuilder start = new StringBuilder();
        wrap(words(head), "  ", 2, start);
        String last = start.substring(start.lastIndexOf("\n", start.length() - 2) + 1, start.length() - 1);
        out.append(start, 0, start.length() - last.length() - 1);
        if (help.isEmpty()) {
            out.append(last).append('\n');
        } else if (last.length() + 1 > column) {
            out.append(last).append('\n');
            wrap(words(help), " ".repeat(column), column, out);
        } else {
            wrap(words(help), last + " ".repeat(column - last.length()), column, out);
        }
    }

    private static String paragraphs(String text) {
        StringBuilder out = new StringBuilder();
        List<String> words = new ArrayList<>();
        for (String line : (text.stripTrailing() + "\n").split("\n", -1)) {
            boolean asItIs = line.isBlank() || line.startsWith(" ") || line.startsWith("Usage:");
            if (!asItIs) {
                words.addAll(words(line));
            } else {
                if (!words.isEmpty()) {
                    wrap(words, "", 0, out);
                    words.clear();
                }
                out.append(line).append('\n');
            }
        }
        return out.toString().stripTrailing() + "\n";
    }

    private static List<String> words(String line) {
        return line.isBlank() ? List.of() : Arrays.asList(line.strip().split("\\s+"));
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
