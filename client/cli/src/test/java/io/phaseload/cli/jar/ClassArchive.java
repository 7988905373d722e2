package io.phaseload.cli.jar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The jar's classes as the JVM keeps them, as scripts/phaseload makes it: each process starts in half the time. */
final class ClassArchive {

    private ClassArchive() {}

    /** The JVM's options for it; none if it can't be made. One process of the tests makes it for all. */
    static List<String> options(Path java, Path jar) {
        Path archive = jar.resolveSibling("tests-" + Runtime.version() + ".jsa");
        try {
            if (!Files.exists(archive)
                    || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) < 0) {
                make(archive, java, jar);
            }
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
        // A JVM that it doesn't fit ignores it, and says nothing.
        return List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + archive, "-Xlog:cds*=off");
    }

    private static void make(Path archive, Path java, Path jar) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(archive.getParent(), "archive");
        Path made = folder.resolve("jsa");
        List<String> command = new ArrayList<>(List.of(java.toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + made, "-jar", jar.toString()));
        command.addAll(List.of("run -c 1 -n 1 --phases peak=1 --engine events --quiet --out".split(" ")));
        command.add(folder.resolve("run").toString());
        Process run = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        if (!run.waitFor(60, TimeUnit.SECONDS) || !Files.exists(made)) {
            run.destroyForcibly();
            throw new IOException("no archive: " + Files.readString(folder.resolve("log")));
        }
        Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
