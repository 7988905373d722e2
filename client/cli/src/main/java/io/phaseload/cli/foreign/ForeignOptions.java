package io.phaseload.cli.foreign;

import io.phaseload.cli.foreign.ForeignLine.ForeignWord;
import io.phaseload.cli.foreign.ForeignTable.TakenValues;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Translates the options of curl and other load tools into ours, and a bare address into {@code --url}.
 * {@link ForeignTable} has the translations; our own options come first, except in the cases of {@link ForeignLine}.
 */
public final class ForeignOptions {

    private static final Pattern HOST =
            Pattern.compile("(?:[\\w-]+\\.)*[\\w-]+:\\d{1,5}(?:/.*)?|(?:[\\w-]+\\.)+[\\w-]+/.*");

    /** {@code -c10} and {@code -XPOST}, but not {@code -threads}, which lacks a hyphen. */
    private static final Pattern ATTACHED = Pattern.compile("-(?:[cndtzmRqp]\\d|[XHu]).*");

    /** Several flags in one word, as curl takes them. */
    private static final Pattern FLAGS = Pattern.compile("-[sSkLfgvi]{2,}");

    private final OptionParser ours;
    private final Deque<String> rest;
    private final List<ForeignWord> read = new ArrayList<>();
    private final List<String> words = new ArrayList<>();

    private ForeignOptions(OptionParser ours, String... line) {
        this.ours = ours;
        this.rest = new ArrayDeque<>(List.of(line));
        while (!rest.isEmpty()) {
            read(rest.removeFirst());
        }
    }

    /**
     * Fills in the options of a command.
     *
     * @param parser of the command's options
     * @param noCommand true for a line without a command, which may be another tool's
     * @param line as it was typed, behind the command
     * @return differences from what the tool whose line it is would do, for the line before the run
     * @throws UsageException if a word of the line has no counterpart, or several, or isn't allowed
     */
    public static List<String> parse(OptionParser parser, boolean noCommand, String... line) {
        ForeignOptions translation = new ForeignOptions(parser, line);
        ForeignLine cases = new ForeignLine(translation.read, noCommand, parser::isGivenElsewhere);
        translation.read.stream()
                .filter(translation::isUnknown)
                .forEach(word ->
                        ForeignTable.refuse(ForeignTable.WORDS, word.typed().get(0)));
        translation.read.forEach(word -> translation.translate(word, cases));
        List<String> words = cases.completed(translation.words);
        parser.parse(words.toArray(String[]::new));
        return cases.differences(words);
    }

    /** Whether a word is an address to send requests to. */
    public static boolean isAddress(String word) {
        return word.contains("://");
    }

    /** The word with a scheme, if it looks like an address that lacks one. */
    public static Optional<String> addressOf(String word) {
        return HOST.matcher(word).matches() ? Optional.of("http://" + word) : Optional.empty();
    }

    /** Refuses a word in the place of a command that is another tool's. */
    public static void checkCommand(String word) {
        ForeignTable.refuse(ForeignTable.WORDS, word);
        ForeignTable.refuse(ForeignTable.ARGUMENTS, word);
    }

    private void read(String word) {
        if (word.equals("--")) {
            rest.forEach(argument -> read.add(new ForeignWord(List.of(argument), "", argument)));
            rest.clear();
            return;
        }
        if (!word.startsWith("-")) {
            read.add(new ForeignWord(List.of(word), "", word));
            return;
        }
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Optional<TakenValues> takes = takes(name);
        if (takes.isPresent()) {
            String value = equals < 0 ? null : word.substring(equals + 1);
            if (value == null && hasNext(takes.get())) {
                value = rest.removeFirst();
                read.add(new ForeignWord(List.of(word, value), name, value));
            } else {
                read.add(new ForeignWord(List.of(word), name, value));
            }
        } else if (FLAGS.matcher(word).matches()) {
            word.substring(1).chars().forEach(flag -> read("-" + (char) flag));
        } else if (ATTACHED.matcher(word).matches()
                && takes(word.substring(0, 2))
                        .filter(TakenValues.NOTHING::equals)
                        .isEmpty()) {
            String value = word.substring(2);
            String start = word.substring(0, 2);
            read.add(new ForeignWord(List.of(start, value), start, value));
        } else {
            read.add(new ForeignWord(List.of(word), name, null));
        }
    }

    /** Neither an address nor an option, whose value may be any word. */
    private boolean isUnknown(ForeignWord word) {
        return word.isArgument() ? !word.isAddress() : takes(word.name()).isEmpty();
    }

    private Optional<TakenValues> takes(String name) {
        return ours.takes(name)
                .map(own -> switch (own) {
                    case NOTHING -> TakenValues.NOTHING;
                    case PERHAPS -> TakenValues.PERHAPS;
                    case ONE, SEVERAL -> TakenValues.A_VALUE;
                })
                .or(() -> ForeignTable.takes(name));
    }

    private boolean hasNext(TakenValues takes) {
        if (takes == TakenValues.NOTHING || rest.isEmpty()) {
            return false;
        }
        String next = rest.getFirst();
        return takes == TakenValues.A_VALUE || !next.startsWith("-") && !isAddress(next);
    }

    private void translate(ForeignWord word, ForeignLine cases) {
        if (word.isArgument()) {
            addArgument(word.value());
            return;
        }
        Optional<ForeignTable.TableRow> row = cases.find(word)
                .or(() -> ours.takes(word.name()).isPresent()
                        ? Optional.empty()
                        : ForeignTable.find(ForeignTable.ALWAYS, word.name(), word.value()));
        if (row.isEmpty()) {
            words.addAll(word.typed());
        } else if (word.value() == null && ForeignTable.takes(word.name()).equals(Optional.of(TakenValues.A_VALUE))) {
            throw new UsageException(word.name() + ": a value is missing");
        } else {
            words.addAll(row.get().words(word.name(), word.value()));
        }
    }

    private void addArgument(String word) {
        if (isAddress(word)) {
            words.addAll(List.of("--url", word));
            return;
        }
        Optional<String> address = addressOf(word);
        if (address.isEmpty()) {
            ForeignTable.refuse(ForeignTable.ARGUMENTS, word);
        }
        if (address.isPresent()) {
            throw new UsageException(word + ": expected an address such as " + address.get());
        } else if (word.matches("(?s)[{\\[@].*")
                && !words.isEmpty()
                && words.get(words.size() - 1).equals("--json")) {
            throw new UsageException(
                    "--json " + word + ": prints the result as JSON; expected --body for what is sent");
        } else if (word.startsWith("-")) {
            throw new UsageException(word + ": expected an address such as http://localhost:8080/");
        } else {
            words.add(word);
        }
    }
}
