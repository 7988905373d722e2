package io.phaseload.cli.foreign;

import io.phaseload.options.UsageException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The cases in which options of a line mean what they mean in other tools, as sections of the table of options.
 *
 * <p>A bare line has no command, and no option of {@link #OURS}, typed, as a system property or as a variable. It has
 * an option of the table's set {@code load} or {@code mark} and an address, or one of the set {@code attack}. It is a
 * line of the tools that have most of its options. It runs one phase, and its number of requests is that of all users
 * together.
 */
final class ForeignLine {

    /** Options that make a line one of ours, with the short names' own meaning. */
    private static final Set<String> OURS =
            Set.of("--threads", "--iterations", "--total", "--phases", "--plan", "--once");

    private static final Set<String> NO_REDIRECTS =
            Set.of("-disable-redirects", "--redirect", "-redirects", "--max-redirects", "--max-redirs");

    private static final String ONE_PHASE = "--phases=peak=1";
    private static final String RATE_OF_EACH = "--rate-of-each=";
    private static final String USERS = "--threads=";
    private static final String TOTAL = "--total=";
    private static final String CLOSE = "--header=Connection: close";

    private final List<ForeignWord> read;
    private final boolean challenged;
    private final List<Tool> tools;

    /**
     * Decides about a line.
     *
     * @param words of the line, as they were read
     * @param noCommand {@code true} for a line without a command
     * @param elsewhere finds the options that a system property or a variable has a value for
     */
    ForeignLine(List<ForeignWord> words, boolean noCommand, Predicate<String> elsewhere) {
        read = words;
        challenged = has(Set.of("--digest", "--anyauth"));
        Set<String> ours = new HashSet<>(OURS);
        if (has(Set.of("--vus"))) {
            // k6's number of all users together.
            ours.remove("--iterations");
        }
        boolean bare = noCommand
                && (hasOf("attack")
                        || words.stream().anyMatch(ForeignWord::isAddress) && (hasOf("load") || hasOf("mark")))
                && !has(ours)
                && OURS.stream().noneMatch(elsewhere);
        tools = bare ? likeliest() : List.of();
    }

    private boolean has(Set<String> names) {
        return read.stream().anyMatch(word -> names.contains(word.name()));
    }

    private boolean hasOf(String set) {
        return read.stream().anyMatch(word -> word.isIn(set));
    }

    /** The tools that have most of the line's options, those of load before all others. */
    private List<Tool> likeliest() {
        long most = Arrays.stream(Tool.values()).mapToLong(this::likeness).max().orElseThrow();
        return Arrays.stream(Tool.values())
                .filter(tool -> likeness(tool) == most)
                .toList();
    }

    private long likeness(Tool tool) {
        return read.stream()
                .filter(word -> word.isIn(tool.section()))
                .mapToLong(word -> word.isIn("load") ? read.size() + 1 : 1)
                .sum();
    }

    /** The row that holds before our own options, if there is one. */
    Optional<ForeignTable.TableRow> find(ForeignWord word) {
        if (challenged) {
            Optional<ForeignTable.TableRow> row = ForeignTable.find("challenged", word.name(), word.value());
            if (row.isPresent()) {
                return row;
            }
        }
        List<Optional<ForeignTable.TableRow>> rows = tools.stream()
                .map(tool -> ForeignTable.find(tool.section(), word.name(), word.value()))
                .distinct()
                .toList();
        if (rows.size() == 1 && rows.get(0).isPresent()) {
            return rows.get(0);
        }
        return rows.isEmpty()
                ? Optional.empty()
                : ForeignTable.find(rows.size() == 1 ? "bare" : "several", word.name(), word.value());
    }

    /** A line in our own words, with one phase if it is bare. */
    List<String> completed(List<String> words) {
        if (tools.isEmpty()) {
            return words;
        }
        List<String> all = new ArrayList<>(words);
        for (String text : tools.get(0).defaults()) {
            boolean length = text.startsWith(TOTAL) || text.startsWith("--duration");
            if (!(length ? isTimed(all) || has(all, TOTAL) : has(all, text.substring(0, text.indexOf('=') + 1)))) {
                all.add(text);
            }
        }
        all.replaceAll(
                word -> word.startsWith(RATE_OF_EACH) ? ofAll(word.substring(RATE_OF_EACH.length()), all) : word);
        if (isTimed(all)) {
            UsageException.throwIf(
                    tools.equals(List.of(Tool.K6)) && has(all, TOTAL),
                    "--iterations cannot be combined with --duration");
            all.removeIf(word -> word.startsWith(TOTAL));
            all.add(ONE_PHASE);
        } else if (!has(all, TOTAL)) {
            throw new UsageException("-rate: expected -duration T beside it: vegeta's attacks have no end without");
        }
        if (tools.equals(List.of(Tool.AB)) && !has(Set.of("-k"))) {
            all.add(CLOSE);
        }
        return all;
    }

    /**
     * A difference from one of the tools, for the line before the run.
     *
     * @param words in our own words
     */
    List<String> differences(List<String> words) {
        List<String> differences = new ArrayList<>();
        if (tools.size() > 1 && tools.contains(Tool.AB) && !words.contains(CLOSE)) {
            differences.add("connections are kept");
        }
        if (tools.stream().anyMatch(Tool::followsRedirects)
                && !words.contains("--follow-redirects")
                && !has(NO_REDIRECTS)) {
            differences.add("redirects aren't followed");
        }
        return differences;
    }

    private static boolean isTimed(List<String> words) {
        return has(words, "--duration");
    }

    private static boolean has(List<String> words, String start) {
        return words.stream().anyMatch(word -> word.startsWith(start));
    }

    private static String ofAll(String rate, List<String> words) {
        String users = words.stream()
                .filter(word -> word.startsWith(USERS))
                .map(word -> word.substring(USERS.length()))
                .filter(count -> count.matches("[0-9]{1,7}"))
                .findFirst()
                .orElseThrow(() ->
                        new UsageException("-q: hey's rate is of each worker; expected -c N such as -c 50 beside it"));
        return "--rate=" + new BigDecimal(rate).multiply(new BigDecimal(users)).toPlainString() + "/s";
    }

    /**
     * A word of a line, with its value.
     *
     * @param typed the words as they were typed: one or two
     * @param name of the option; empty for an argument
     * @param value {@code null} if there is none
     */
    record ForeignWord(List<String> typed, String name, String value) {

        boolean isArgument() {
            return name.isEmpty();
        }

        boolean isAddress() {
            return isArgument() && ForeignOptions.isAddress(value);
        }

        private boolean isIn(String set) {
            return ForeignTable.contains(set, name, value);
        }
    }
}
