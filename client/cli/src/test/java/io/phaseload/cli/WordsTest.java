package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages, Javadoc and messages keep to the rules of CONTRIBUTING.md, "Words", as far as patterns find a breach. */
class WordsTest {

    private static final Path ROOT = Path.of(System.getProperty("basedir", ""), "..", "..");

    private static final Pattern BEGINNING =
            Pattern.compile("(?<=^|[.!?:;|*#>-] |\n|<p>|<li>)(?:What|Who|Whose)\\b(?:[^.?!|]|\\.(?=\\w))*+(?!\\?)");

    private static final String THING = "(?:agents?|clients?|connections?|coordinator|files?|interfaces?|JVM|kernel"
            + "|machines?|members?|nodes?|pages?|peers?|processes|servers?|systems?|targets?|that|they|it|which)";

    /** Differences may be told: "told apart" and "told from". */
    private static final Pattern TALK = Pattern.compile("\\b" + THING
            + "\\s(?:(?:doesn't|don't|can't|can)\\s)?(?:tells?|told|hears?|heard)\\b"
            + "|\\b(?:is|are|was|were|been|be)\\stold\\b(?!\\s(?:apart|from)\\b)|\\bhears?\\s(?:of|the|theirs)\\b");

    private static final Pattern NONE = Pattern.compile("\\bexpected none\\b");

    private static final Pattern TAG = Pattern.compile(
            "@(?:param\\s+\\S+|return|throws\\s+\\S+)\\s+" + "(?:what|how|whether|when|where|which|who|whose)\\b");

    private static final List<Pattern> RULES = List.of(BEGINNING, TALK, NONE, TAG);

    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);

    @Test
    void pagesKeepToThem() throws IOException {
        assertThat(files(ROOT.resolve("docs"), ".md"))
                .flatMap(page -> breaches(page, withoutCode(Files.readString(page))))
                .isEmpty();
        assertThat(List.of("README.md", "SECURITY.md", "CHANGELOG.md"))
                .map(ROOT::resolve)
                .flatMap(page -> breaches(page, withoutCode(Files.readString(page))))
                .isEmpty();
    }

    @Test
    void javadocKeepsToThem() throws IOException {
        assertThat(sources())
                .flatMap(source -> breaches(source, javadoc(Files.readString(source))))
                .isEmpty();
    }

    @Test
    void messagesKeepToThem() throws IOException {
        assertThat(sources()).allSatisfy(source -> assertThat(source).content().doesNotContainPattern(NONE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "What a server sends is limited.",
                "It sends. What comes back is read.",
                "| a cell | What differs is named |",
                "## What it costs",
                "The server tells how many wait.",
                "Empty if the system doesn't tell.",
                "The listener is told of it.",
                "An agent hears of the run.",
                "threads: expected none with engine events",
                "@param plan what to run",
                "{@return whether it runs}"
            })
    void aBreachIsFound(String text) {
        assertThat(breaches(ROOT.resolve("page.md"), text)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "What is a phase?",
                "It sends. Who reads it?",
                "Whatever a server sends is read.",
                "They can be told apart.",
                "A crash is told from a close.",
                "expected 1, got none",
                "@return the time when it ended"
            })
    void otherTextsPass(String text) {
        assertThat(breaches(ROOT.resolve("page.md"), text)).isEmpty();
    }

    @Test
    void aBreachInJavadocIsNamedWithItsLine() {
        assertThat(breaches(
                        ROOT.resolve("A.java"),
                        javadoc("package a;\n\n/**\n * It is one.\n *\n * <p>What is it. */\n")))
                .containsExactly("A.java:6: What is it. */");
    }

    @Test
    void aBreachIsNamedWithItsFileAndLine() {
        assertThat(breaches(ROOT.resolve("docs/page.md"), "# Title\n\nAll of it\nis told to users.\n"))
                .containsExactly("docs/page.md:4: is told to users.");
    }

    private static List<String> breaches(Path file, String text) {
        return RULES.stream()
                .flatMap(rule -> rule.matcher(text).results())
                .map(found -> "%s:%d: %s"
                        .formatted(
                                ROOT.relativize(file),
                                1
                                        + text.substring(0, found.start())
                                                .chars()
                                                .filter(c -> c == '\n')
                                                .count(),
                                text.substring(found.start())
                                        .lines()
                                        .findFirst()
                                        .orElse("")))
                .toList();
    }

    /** Only the lines of code are left, so that those of the text keep their numbers. */
    private static String withoutCode(String page) {
        return Pattern.compile("^```.*?^```|`[^`\n]*`", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(page)
                .replaceAll(code -> Matcher.quoteReplacement("…" + code.group().replaceAll("[^\n]", "")));
    }

    /** The comments alone, each in its lines, without their margins. */
    private static String javadoc(String source) {
        StringBuilder all = new StringBuilder();
        Matcher comments = JAVADOC.matcher(source);
        int end = 0;
        while (comments.find()) {
            all.append(source.substring(end, comments.start()).replaceAll("[^\n]+", ""))
                    .append(comments.group().replaceAll("(?m)^[ /*]+", ""));
            end = comments.end();
        }
        return all.toString();
    }

    /** Only sources are walked: other tests change files of build folders meanwhile. */
    private static List<Path> sources() throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path parent : List.of(ROOT, ROOT.resolve("client"))) {
            try (DirectoryStream<Path> modules = Files.newDirectoryStream(parent)) {
                for (Path module : modules) {
                    Path sources = module.resolve("src/main/java");
                    all.addAll(Files.isDirectory(sources) ? files(sources, ".java") : List.of());
                }
            }
        }
        return all;
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }
}
