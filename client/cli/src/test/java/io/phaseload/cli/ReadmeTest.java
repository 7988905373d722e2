package io.phaseload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.host.HostFigure;
import io.phaseload.plan.metrics.ServerMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the README and docs/ say of the command line and the library is what they are. */
class ReadmeTest {

    private static final Path ROOT = Path.of(System.getProperty("basedir", ""), "..", "..");
    private static final String FENCE = "```";
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]+)");

    @Test
    void quotesTheHelp() throws Exception {
        if (Boolean.getBoolean("golden.update")) {
            writeTheHelp(ROOT.resolve("docs/options.md"));
        }
        assertThat(blocksAfter("<!-- help -->")).isNotEmpty().allSatisfy(block -> assertThat(block + "\n")
                .isEqualTo(Command.RUN.help().all()));
    }

    private static void writeTheHelp(Path page) throws IOException {
        String text = Files.readString(page);
        int start = text.indexOf(FENCE + "\n", text.indexOf("<!-- help -->")) + FENCE.length() + 1;
        String end = text.substring(text.indexOf("\n" + FENCE, start) + 1);
        Files.writeString(page, text.substring(0, start) + Command.RUN.help().all() + end);
    }

    @Test
    void explainsEveryFigureOfTheClient() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/results.md"));

        assertThat(HostFigure.names()).allMatch(name -> page.contains("`" + name + "`"));
    }

    @Test
    void explainsEveryFigureOfAServer() throws Exception {
        String pages =
                Files.readString(ROOT.resolve("docs/results.md")) + Files.readString(ROOT.resolve("docs/targets.md"));

        assertThat(ServerMetrics.KNOWN_FIGURES).allMatch(name -> pages.contains("`" + name + "`"));
    }

    @Test
    void quotesTheLibrarysExample() throws Exception {
        List<String> example =
                Files.readAllLines(ROOT.resolve("src/it/library/src/main/java/example/LoadExample.java"));
        assertThat(blocksAfter("<!-- library -->")).isNotEmpty().allSatisfy(block -> {
            assertThat(block).isNotBlank();
            assertThat(excerpts(example, (int) block.lines().count()))
                    .as("LoadExample.java has these lines, one after another")
                    .contains(block.stripIndent());
        });
    }

    @Test
    void linksLeadToFilesAndToEachPage() throws Exception {
        Set<Path> linked = new HashSet<>();
        for (Path page : pages()) {
            LINK.matcher(Files.readString(page))
                    .results()
                    .map(link -> page.resolveSibling(link.group(1)).normalize())
                    .forEach(linked::add);
        }
        assertThat(linked)
                .allSatisfy(file -> assertThat(file).exists())
                .containsAll(pages().stream().skip(1).map(Path::normalize).toList());
    }

    /** All stretches of that many lines, without the indentation that their lines share. */
    private static List<String> excerpts(List<String> lines, int count) {
        return IntStream.rangeClosed(0, lines.size() - count)
                .mapToObj(i -> String.join("\n", lines.subList(i, i + count)).stripIndent())
                .toList();
    }

    /** The fenced blocks that follow a marker's line, in the README and in what it points to. */
    private static List<String> blocksAfter(String marker) throws IOException {
        List<String> blocks = new ArrayList<>();
        for (Path page : pages()) {
            blocks.addAll(blocksAfter(marker, Files.readAllLines(page)));
        }
        return blocks;
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    private static List<String> blocksAfter(String marker, List<String> lines) {
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).equals(marker))
                .mapToObj(i -> block(lines, i + 1))
                .toList();
    }

    private static String block(List<String> lines, int fence) {
        assertThat(lines.get(fence)).as("the line after a marker").startsWith(FENCE);
        int end = fence + 1;
        while (!lines.get(end).equals(FENCE)) {
            end++;
        }
        return String.join("\n", lines.subList(fence + 1, end));
    }
}
