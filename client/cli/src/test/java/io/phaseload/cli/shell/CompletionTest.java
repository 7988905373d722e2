package io.phaseload.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.cli.Cli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shells themselves complete lines, if this machine has them. */
class CompletionTest {

    /** Lines that end where Tab is pressed, each with all completions. */
    private static final List<List<String>> LINES = List.of(
            List.of("phaseload repo", "report"),
            List.of("phaseload co", "compare completion"),
            List.of("phaseload --thr", "--threads --threshold"),
            List.of("phaseload run --thr", "--threads --threshold"),
            List.of("phaseload report --j", "--json --junit"),
            List.of("phaseload --target ", "lambda tomcat"),
            List.of("phaseload sweep --order ", "interleaved random sequential"),
            List.of("phaseload sweep --engine e", "events"),
            List.of("phaseload run --plan p", "plan.yaml"),
            List.of("phaseload run -o s", "sub"),
            List.of("phaseload completion ", "bash fish zsh"),
            List.of("phaseload help de", "describe"),
            List.of("phaseload run http://localhost/ --dur", "--duration"));

    @TempDir
    private Path folder;

    @BeforeEach
    void makeFiles() throws IOException {
        Files.createFile(folder.resolve("plan.yaml"));
        Files.createDirectory(folder.resolve("sub"));
    }

    /** The output of a shell beside the file of its completions. */
    private String output(String shell, String... options) throws Exception {
        boolean found =
                Stream.of(System.getenv("PATH").split(":")).anyMatch(path -> Files.isExecutable(Path.of(path, shell)));
        assumeThat(found).as(shell + " is installed").isTrue();
        Files.writeString(
                folder.resolve("_phaseload"), Cli.run("completion", shell).out());
        // A shell that waits for something would wait forever.
        Process process = new ProcessBuilder(Stream.concat(Stream.of("timeout", "50", shell), Stream.of(options))
                        .toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    private static String expected() {
        return LINES.stream().map(line -> line.get(1) + "\n").collect(Collectors.joining());
    }

    /** With the words in order, and a folder without its slash. */
    private static String sorted(String output) {
        return output.lines()
                .map(line -> Arrays.stream(line.replace("/", "").split(" "))
                        .sorted()
                        .collect(Collectors.joining(" ", "", "\n")))
                .collect(Collectors.joining());
    }

    @Test
    void bashCompletes() throws Exception {
        StringBuilder script = new StringBuilder("source ./_phaseload\n");
        for (List<String> line : LINES) {
            String last = line.get(0).endsWith(" ") ? " ''" : "";
            script.append("COMP_WORDS=(%s%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _phaseload 2>/dev/null\n"
                            .formatted(line.get(0), last))
                    .append("echo \"${COMPREPLY[*]}\"\n");
        }
        assertThat(sorted(output("bash", "--norc", "-c", script.toString()))).isEqualTo(expected());
    }

    @Test
    void fishCompletes() throws Exception {
        String script = LINES.stream()
                .map(line ->
                        "string join -- ' ' (complete -C '%s' | string replace -r '\\t.*' '')\n".formatted(line.get(0)))
                .collect(Collectors.joining("", "source ./_phaseload\n", ""));
        assertThat(sorted(output("fish", "--no-config", "-c", script))).isEqualTo(expected());
    }

    /** In a terminal of its own. The prompts are numbered, since all else is repeated as the line is redrawn. */
    @Test
    void zshCompletes() throws Exception {
        StringBuilder script = new StringBuilder(
                """
                zmodload zsh/zpty
                zpty -b shell zsh -f -i
                zpty -w shell "fpath=($PWD \\$fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=1000"
                zpty -w shell 'precmd() { PS1="<$((n++))>" }'
                zpty -r shell output '*<0>'
                """);
        for (int i = 0; i < LINES.size(); i++) {
            String line = LINES.get(i).get(0);
            String typed = line.substring(line.lastIndexOf(' ') + 1);
            // Tab twice; then the line is emptied and entered.
            script.append(
                    """
                    zpty -w -n shell $'%s\\t\\t\\x15\\n'
                    zpty -r shell output '*<%d>'
                    """
                            .formatted(line, i + 1));
            for (String word : LINES.get(i).get(1).split(" ")) {
                script.append("[[ $output == *%s* ]] && echo %s\n".formatted(word.substring(typed.length()), word));
            }
        }
        String words = LINES.stream()
                .flatMap(line -> Stream.of(line.get(1).split(" ")))
                .map(word -> word + "\n")
                .collect(Collectors.joining());
        assertThat(output("zsh", "-f", "-c", script.toString())).isEqualTo(words);
    }
}
