package io.phaseload.cli.command;

import io.phaseload.result.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.JarFile;
import tools.jackson.databind.json.JsonMapper;

/** The version, and all else that a report of a bug needs. */
public final class Version {

    /** The manifest's attribute with the commit. */
    private static final String COMMIT = "SCM-Revision";

    private static final int SHORT = 10;

    private Version() {}

    /**
     * The answer to {@code --version}.
     *
     * @param json as one JSON document
     * @return lines that each end in a line feed
     */
    public static String text(boolean json) {
        String jvm = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
        String os = "%s %s (%s)"
                .formatted(
                        System.getProperty("os.name"), System.getProperty("os.version"), System.getProperty("os.arch"));
        Optional<String> commit = commit();
        return json
                ? json(commit, jvm, os)
                : "phaseload %s%s%n%s%n%s%n"
                        .formatted(
                                Environment.currentVersion(),
                                commit.map(of -> " (" + of.substring(0, Math.min(SHORT, of.length())) + ")")
                                        .orElse(""),
                                jvm,
                                os);
    }

    private static String json(Optional<String> commit, String jvm, String os) {
        return JsonMapper.shared()
                        .createObjectNode()
                        .put("version", Environment.currentVersion())
                        .put("commit", commit.orElse(null))
                        .put("javaVersion", System.getProperty("java.version"))
                        .put("jvm", jvm)
                        .put("os", os)
                        .toPrettyString()
                + "\n";
    }

    /** The commit that the jar was built from; empty without a jar, or if its build didn't know. */
    private static Optional<String> commit() {
        Path jar = Path.of(Version.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        if (!Files.isRegularFile(jar)) {
            return Optional.empty();
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            return Optional.ofNullable(file.getManifest())
                    .map(manifest -> manifest.getMainAttributes().getValue(COMMIT));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
