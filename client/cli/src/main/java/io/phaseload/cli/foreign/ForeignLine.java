package io.phaseload.cli.foreign;

import io.phaseload.options.UsageException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The cases in which options of a line mean what they mean in other tools, as sections of the table of options.
 *
 * <p>A bare line is one without a command, with an address, with an option that says how much is sent ({@link #LOAD}),
 * and without {@link #OURS}, typed or as a system property: it is a line of hey, oha, wrk, ab, vegeta or k6. It runs
 * one phase, and its number of requests is that of all users together.
 */
final class ForeignLine {

    /** Options that make a line one of ours, with the short names' own meaning. */
    private static final Set<String> OURS =
            Set.of("--threads", "--iterations", "--total", "--phases", "--plan", "--once");

    /** Options that make a bare address a line of another tool. */
    private static final Set<String> LOAD = Set.of(
            "-n",
            "-c",
            "-z",
            "-d",
            "-q",
            "-t",
            "-R",
            "-rate",
            "-duration",
            "--rps",
            "--connections",
            "--concurrency",
            "--clients",
            "--vus");

    /** Options that only hey has. */
    private static final Set<String> HEY =
            Set.of("-disable-keepalive", "-disable-compression", "-disable-redirects", "-cpus", "-h2", "-host");

    /** Options that hey and oha have, and neither wrk nor ab. */
    private static final Set<String> HEY_OR_OHA = Set.of("-z", "-D", "-a", "-m");

    private static final Pattern TIME = Pattern.compile("\\d+(?:\\.\\d+)?(?:us|ms|s|m|h)");

    /** As many requests as hey and oha send unless a line says how many. */
    private static final String TOTAL = "--total=200";

    private static final String ONE_PHASE = "--phases=peak=1";
    private static final String RATE_OF_EACH = "--rate-of-each=";
    private static final String USERS = "--threads=";

    private final List<String> sections = new ArrayList<>();
    private final boolean bare;

    /**
     * Decides about a line.
     *
     * @param words of the line, as they were read
     * @param noCommand {@code true} for a line without a command
     * @param properties of the system, by name
     */
    ForeignLine(List<Word> words, boolean noCommand, UnaryOperator<String> properties) {
        if (has(words, Set.of("--digest", "--anyauth"))) {
            sections.add("challenged");
        }
        bare = noCommand
                && words.stream().anyMatch(Word::isAddress)
                && words.stream().anyMatch(ForeignLine::isLoad)
                && !has(words, OURS)
                && OURS.stream().allMatch(name -> properties.apply(name.substring(2)) == null);
        if (bare) {
            if (has(words, HEY)) {
                sections.add("hey");
            }
            if (has(words, HEY) || has(words, HEY_OR_OHA)) {
                sections.add("hey or oha");
            } else if (words.stream().anyMatch(ForeignLine::isTimed)) {
                sections.add("wrk");
            }
            sections.add("bare");
        }
    }

    private static boolean has(List<Word> words, Set<String> names) {
        return words.stream().anyMatch(word -> names.contains(word.name()));
    }

    /** curl's {@code -d} is a body. */
    private static boolean isLoad(Word word) {
        return LOAD.contains(word.name()) && (!word.name().equals("-d") || isTimed(word));
    }

    private static boolean isTimed(Word word) {
        return Set.of("-d", "--duration").contains(word.name())
                && word.value() != null
                && TIME.matcher(word.value()).matches();
    }

    /** The row that holds before our own options, if there is one. */
    Optional<ForeignTable.Row> find(Word word) {
        return sections.stream()
                .flatMap(name -> ForeignTable.find(name, word.name(), word.value()).stream())
                .findFirst();
    }

    /** A line in our own words, with one phase if it is bare. */
    List<String> completed(List<String> words) {
        if (!bare) {
            return words;
        }
        List<String> all = new ArrayList<>();
        boolean timed = words.stream().anyMatch(word -> word.startsWith("--duration"));
        for (String word : words) {
            if (word.startsWith(RATE_OF_EACH)) {
                all.add(ofAll(word.substring(RATE_OF_EACH.length()), words));
            } else if (!timed || !word.startsWith("--total=")) {
                all.add(word);
            }
        }
        if (timed) {
            all.add(ONE_PHASE);
        } else if (words.stream().noneMatch(word -> word.startsWith("--total="))) {
            all.add(TOTAL);
        }
        return all;
    }

    private static String ofAll(String rate, List<String> words) {
        String users = words.stream()
                .filter(word -> word.startsWith(USERS))
                .map(word -> word.substring(USERS.length()))
                .filter(count -> count.matches("[0-9]{1,7}"))
                .findFirst()
                .orElseThrow(() -> new UsageException(
                        "-q: hey's rate is of each worker; expected -c N" + " such as -c 50 beside it"));
        return "--rate=" + new BigDecimal(rate).multiply(new BigDecimal(users)).toPlainString() + "/s";
    }

    /**
     * A word of a line, with its value.
     *
     * @param typed the words as they were typed: one or two
     * @param name of the option; empty for an argument
     * @param value {@code null} if there is none
     */
    record Word(List<String> typed, String name, String value) {

        boolean isArgument() {
            return name.isEmpty();
        }

        boolean isAddress() {
            return isArgument() && ForeignOptions.isAddress(value);
        }
    }
}
