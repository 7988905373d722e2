package io.phaseload.cli.jar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.phaseload.cli.Cli;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The packaged jar in a process of its own, whose working directory is a temporary folder. Standard error goes to a
 * file; standard output is read as far as a test asks for it.
 */
final class JarProcess implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final File err;
    private final BufferedReader out;
    private final List<String> read = new ArrayList<>();

    private JarProcess(ProcessBuilder builder, Path folder) throws IOException {
        err = folder.resolve("stderr").toFile();
        process = builder.directory(folder.toFile()).redirectError(err).start();
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        // A process that hangs becomes one that ended without its lines.
        CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
    }

    /**
     * Starts it with a pipe as its standard output.
     *
     * @param line its arguments, split at blanks
     */
    static JarProcess start(Path folder, String line) throws IOException {
        return new JarProcess(builder(Map.of(), command(line)), folder);
    }

    /**
     * Starts it under what a shell prepares.
     *
     * @param prelude words that {@code sh} follows in the script
     * @param script has the process's command as its parameters, to be started with {@code "$@"}
     */
    static JarProcess startUnder(Path folder, List<String> prelude, String script, String line) throws IOException {
        return new JarProcess(builder(Map.of(), shell(prelude, script, command(line))), folder);
    }

    /** Skips a test where this machine doesn't do what a script wants before its command. */
    static void assumePossible(Path folder, List<String> prelude, String script)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(shell(prelude, script, List.of("true")))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeThat(process.waitFor()).as("%s; %s: %s", prelude, script, output).isZero();
    }

    private static List<String> shell(List<String> prelude, String script, List<String> command) {
        List<String> words = new ArrayList<>(prelude);
        words.addAll(List.of("sh", "-c", script, "sh"));
        words.addAll(command);
        return words;
    }

    /** Starts it on a pseudo-terminal, by means of script(1) of util-linux. */
    static JarProcess startOnTerminal(Path folder, String before, String line, Map<String, String> environment)
            throws IOException {
        String quoted = before
                + command(line).stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .collect(Collectors.joining(" "));
        List<String> script = List.of("script", "-qec", quoted, "/dev/null");
        return new JarProcess(builder(environment, script), folder);
    }

    private static List<String> command(String line) {
        Path jar = Path.of(System.getProperty("basedir", ""), "target", "phaseload.jar");
        assertThat(jar).as("mvn package makes it").isRegularFile();
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        // A process of seconds ends before C2's code pays.
        List<String> command = new ArrayList<>(List.of(java.toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(ClassArchive.options(java, jar.toAbsolutePath()));
        command.addAll(List.of("-jar", jar.toAbsolutePath().toString()));
        command.addAll(List.of(line.split(" ")));
        return command;
    }

    private static ProcessBuilder builder(Map<String, String> more, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        // With these a JVM says something on standard error, and a terminal may be none.
        List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "NO_COLOR")
                .forEach(environment::remove);
        environment.put("TERM", "xterm");
        environment.putAll(more);
        return builder;
    }

    /** Presses keys of its terminal. */
    void press(String keys) throws IOException {
        process.getOutputStream().write(keys.getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
    }

    /** Reads standard output as far as the line that begins like this, and returns it. */
    String awaitLine(String beginning) throws IOException {
        String line;
        do {
            line = out.readLine();
            assertThat(line)
                    .as("a line '%s…' after %s, %s", beginning, read, err())
                    .isNotNull();
            read.add(line);
        } while (!line.startsWith(beginning));
        return line;
    }

    /** Waits until standard error has a line that begins like this. */
    void awaitErrLine(String beginning) throws IOException, InterruptedException {
        while (err().lines().noneMatch(line -> line.startsWith(beginning))) {
            assertThat(process.waitFor(10, TimeUnit.MILLISECONDS)).as(err()).isFalse();
        }
    }

    /** Sends signals, one right after another. */
    void signal(String... names) throws IOException, InterruptedException {
        String kills = Stream.of(names)
                .map(name -> "kill -" + name + " " + process.pid())
                .collect(Collectors.joining("; "));
        int code = new ProcessBuilder("sh", "-c", kills).inheritIO().start().waitFor();
        assertThat(code == 0 || !process.isAlive()).as(kills).isTrue();
    }

    /** What standard input will give, to its end. */
    void type(String text) throws IOException {
        try (var in = process.getOutputStream()) {
            in.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Whether it ends within a time. */
    boolean endsWithin(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Reads the rest of standard output and waits for the end. */
    Cli end() throws IOException, InterruptedException {
        StringWriter all = new StringWriter();
        read.forEach(line -> all.write(line + "\n"));
        out.transferTo(all);
        return new Cli(process.waitFor(), all.toString(), err());
    }

    private String err() throws IOException {
        return Files.readString(err.toPath());
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
    }
}
