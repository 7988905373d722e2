package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.options.OptionSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands and plans in the README, in docs/ and in examples/ are accepted, and those for people who know other
 * tools run.
 */
class CommandsOfPagesTest {

    private static final Path ROOT = Path.of(System.getProperty("basedir", ""), "..", "..");

    private static final Pattern BLOCK = Pattern.compile("^```(\\w*)\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    /** After a prompt such as {@code $} or {@code load-1$}, and variables. */
    private static final Pattern LINE =
            Pattern.compile("(?:\\S*\\$ )?(?:[A-Z_]+=\\S+ )*(?:\\S*/)?phaseload ((?:\\S.*?)??)(?: &| …)?");

    private static final Pattern WORD = Pattern.compile("(?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+");

    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--?[A-Za-z][\\w-]*");

    /** Words of a run that {@code plan} doesn't take, or that name a file or a variable of the reader. */
    private static final Pattern WRITES_OR_READS = Pattern.compile(
            "--(plan|agents|doctor|requests|help|junit|out|quiet|once|live|otlp|prometheus|prove|stream|tui)|@.*|env:.*");

    private static final Path OF_OTHER_TOOLS = ROOT.resolve("docs/coming-from.md");

    @RegisterExtension
    private final RecordingServer server = RecordingServer.answering("{\"token\": \"t\"}");

    @Test
    void theirOptionsExist() throws Exception {
        List<Path> pages = pages();
        pages.remove(OF_OTHER_TOOLS);
        List<List<String>> lines = commands(pages);

        assertThat(lines).hasSizeGreaterThan(50).allSatisfy(line -> {
            Command command = Command.named(line.get(0)).orElse(Command.RUN);
            if (command == Command.RUN && line.stream().noneMatch(WRITES_OR_READS.asPredicate())) {
                Cli plan = Cli.run(asPlan(line).toArray());
                assertThat(plan.code()).as("%s: %s", line, plan.err()).isZero();
            } else {
                assertThat(options(command))
                        .as("%s", line)
                        .containsAll(line.stream()
                                .map(word -> word.replaceFirst("=.*", ""))
                                .filter(OPTION.asMatchPredicate())
                                .toList());
            }
        });
    }

    @Test
    void theirPlansAreAccepted(@TempDir Path folder) throws Exception {
        Files.copy(ROOT.resolve("examples/accounts.csv"), folder.resolve("accounts.csv"));
        List<String> plans = new ArrayList<>();
        for (Path page : pages()) {
            blocks(page, "yaml"::equals)
                    .filter(block -> block.startsWith("target:"))
                    .forEach(plans::add);
        }

        assertThat(plans).hasSizeGreaterThan(5).allSatisfy(plan -> accepts(write(folder, plan)));
        assertThat(files(ROOT.resolve("examples"), ".yaml")).isNotEmpty().allSatisfy(this::accepts);
    }

    private void accepts(Path plan) {
        Cli made = Cli.run("plan", "--plan", plan);
        assertThat(made.err()).as("%s", plan).isEmpty();
        assertThat(made.code()).isZero();
    }

    /** Times are shorter; numbers of requests aren't. */
    @Test
    @Tag("slow")
    void linesOfOtherToolsSendAsMany(@TempDir Path folder) throws Exception {
        List<List<String>> lines = commands(List.of(OF_OTHER_TOOLS)).stream()
                .filter(line -> Command.named(line.get(0)).isEmpty())
                .toList();

        assertThat(lines).hasSizeGreaterThan(5);
        int sent = 0;
        for (List<String> line : lines) {
            List<String> words = new ArrayList<>(line.stream()
                    .map(word -> word.replaceFirst("30s$", "500ms")
                            .replaceFirst("https://shop.example/", server.url().toString()))
                    .toList());
            words.addAll(List.of("--out", folder.resolve("out" + sent).toString()));
            Cli run = Cli.run(words.toArray());
            assertThat(run.code()).as("%s: %s", line, run.err()).isZero();
            int received = server.received().size() - sent;
            sent += received;
            if (line.contains("-n")) {
                assertThat(received).as("%s", line).isEqualTo(Integer.parseInt(line.get(line.indexOf("-n") + 1)));
            } else {
                assertThat(received).as("%s", line).isPositive();
            }
        }
    }

    @Test
    void theJourneyRunsAsItIsWritten(@TempDir Path folder) throws Exception {
        Files.copy(ROOT.resolve("examples/accounts.csv"), folder.resolve("accounts.csv"));
        Path plan =
                write(folder, blocks(OF_OTHER_TOOLS, "yaml"::equals).findFirst().orElseThrow());

        Cli run = Cli.run("run", "--plan", plan, "--once", "--url", server.url(), "--out", folder.resolve("out"));

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(server.received())
                .extracting(RecordingServer.Received::line)
                .containsExactly("POST /login", "GET /orders");
        assertThat(server.received().get(1).headers().getFirst("Authorization")).isEqualTo("Bearer t");
    }

    private static Path write(Path folder, String plan) throws IOException {
        return Files.writeString(folder.resolve("plan.yaml"), plan);
    }

    private static List<String> asPlan(List<String> line) {
        List<String> plan = new ArrayList<>(line);
        plan.remove("run");
        plan.add(0, "plan");
        return plan;
    }

    private static Set<String> options(Command command) {
        // --pairs is the name of --threads for messages.
        Stream<String> more =
                switch (command) {
                    case RUN -> Stream.of("--pairs");
                    case SOAK -> options(Command.RUN).stream();
                    default -> Stream.of();
                };
        return Stream.concat(more, command.help().every().flatMap(OptionSpec::names))
                .collect(Collectors.toSet());
    }

    private static List<List<String>> commands(List<Path> pages) throws IOException {
        List<List<String>> lines = new ArrayList<>();
        for (Path page : pages) {
            blocks(page, String::isEmpty)
                    .flatMap(block -> block.replace("\\\n", " ").lines())
                    .map(LINE::matcher)
                    .filter(Matcher::matches)
                    .map(line -> words(line.group(1)))
                    .filter(words -> !words.isEmpty())
                    .forEach(lines::add);
        }
        return lines;
    }

    private static List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .map(word -> word.group().replaceAll("'([^']*)'|\"([^\"]*)\"", "$1$2"))
                // What follows is a remark, or the shell's.
                .takeWhile(word -> !word.matches("#|&&|\\||>.*"))
                .toList();
    }

    private static Stream<String> blocks(Path page, Predicate<String> language) throws IOException {
        return BLOCK.matcher(Files.readString(page))
                .results()
                .filter(block -> language.test(block.group(1)))
                .map(block -> block.group(2));
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        pages.addAll(files(ROOT.resolve("docs"), ".md"));
        return pages;
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }
}
