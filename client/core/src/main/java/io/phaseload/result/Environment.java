package io.phaseload.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.phaseload.host.HostProbe;
import io.phaseload.settings.SecretOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where a run was executed. Values that the system doesn't report are empty.
 *
 * @param phaseloadVersion the client's version
 * @param host the client's host name
 * @param os name, version and architecture of the operating system
 * @param cpu the CPU's model
 * @param cores processors that the JVM may use
 * @param limits the system's limits for the process
 * @param maxHeapMiB the JVM's heap limit, in MiB
 * @param jvm name and version of the JVM
 * @param javaVersion such as {@code 17.0.15}
 * @param jvmFlags the JVM's arguments, without the values of properties that look like secrets
 * @param commandLine the process's whole command line, without what looks like a secret
 * @param missingFigures figures of the client that the system doesn't report, each with the reason; {@code null} in a
 *     run of an earlier version
 * @param gitCommit the commit of the working directory, if it is in a checkout
 * @param selfProof the last check of this client on this machine; empty without one
 */
public record Environment(
        String phaseloadVersion,
        Optional<String> host,
        String os,
        Optional<String> cpu,
        int cores,
        Limits limits,
        long maxHeapMiB,
        String jvm,
        String javaVersion,
        List<String> jvmFlags,
        List<String> commandLine,
        @Nullable Map<String, String> missingFigures,
        Optional<String> gitCommit,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<SelfProof> selfProof) {

    public Environment {
        Objects.requireNonNull(phaseloadVersion, "the environment has no phaseloadVersion");
        Objects.requireNonNull(os, "the environment has no os");
        Objects.requireNonNull(jvm, "the environment has no jvm");
        Objects.requireNonNull(javaVersion, "the environment has no javaVersion");
        Objects.requireNonNull(jvmFlags, "the environment has no jvmFlags");
    }

    /**
     * The same with another command.
     *
     * @param command the whole command line, without secrets
     * @return a copy
     */
    public Environment withCommandLine(List<String> command) {
        return new Environment(
                phaseloadVersion,
                host,
                os,
                cpu,
                cores,
                limits,
                maxHeapMiB,
                jvm,
                javaVersion,
                jvmFlags,
                List.copyOf(command),
                missingFigures,
                gitCommit,
                selfProof);
    }

    /**
     * Inspects this machine and this JVM.
     *
     * @return the environment that it found
     */
    public static Environment capture() {
        // Results of interrupted runs are kept, too, but files can't be read with the flag set.
        boolean interrupted = Thread.interrupted();
        try {
            return new Environment(
                    currentVersion(),
                    text(Path.of("/proc/sys/kernel/hostname")),
                    "%s %s (%s)".formatted(property("os.name"), property("os.version"), property("os.arch")),
                    cpuModel(),
                    Runtime.getRuntime().availableProcessors(),
                    Limits.capture(),
                    Runtime.getRuntime().maxMemory() >> 20,
                    property("java.vm.name") + " " + property("java.vm.version"),
                    property("java.version"),
                    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                            .map(SecretOptions::redactFlag)
                            .toList(),
                    SecretOptions.redact(currentCommandLine()),
                    untold(),
                    currentCommit(),
                    SelfProof.kept(SelfProof.file()));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * The version of this library.
     *
     * @return such as {@code 0.1.0}
     */
    public static String currentVersion() {
        try (InputStream in = Environment.class.getResourceAsStream("version.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String property(String name) {
        return System.getProperty(name, "");
    }

    private static Map<String, String> untold() {
        Map<String, String> missing = new LinkedHashMap<>();
        HostProbe.missing().forEach((figure, why) -> missing.put(figure.toString(), why));
        return missing;
    }

    private static List<String> currentCommandLine() {
        try {
            // ProcessHandle knows only its first 4 KiB.
            return List.of(Files.readString(Path.of("/proc/self/cmdline")).split("\0"));
        } catch (IOException e) {
            ProcessHandle.Info process = ProcessHandle.current().info();
            List<String> line = new ArrayList<>(process.command().stream().toList());
            process.arguments().ifPresent(arguments -> line.addAll(List.of(arguments)));
            return line;
        }
    }

    private static Optional<String> cpuModel() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> currentCommit() {
        try {
            Process git = new ProcessBuilder("git", "rev-parse", "HEAD")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            git.getOutputStream().close();
            if (!git.waitFor(2, TimeUnit.SECONDS)) {
                git.destroyForcibly();
                return Optional.empty();
            }
            String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.exitValue() == 0 ? Optional.of(commit) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
