package io.phaseload.cli.cluster;

import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.ClusterKeys;
import io.phaseload.files.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Agents on hosts that ssh(1) reaches without a password. The jar is copied where it isn't there yet; the secret goes
 * over ssh. An agent ends when its connection does, so none is left behind. A file for each host has the output of ssh
 * and the agent.
 */
final class SshAgents implements Launcher {

    /** The folder of the jar, on a host. */
    private static final String CACHE = "\"${XDG_CACHE_HOME:-$HOME/.cache}\"/phaseload";

    /** The folder of results, on a host. */
    private static final String STATE = "\"${XDG_STATE_HOME:-$HOME/.local/state}\"/phaseload";

    /** After it come host and command. */
    private static final List<String> SSH = List.of("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10");

    private final List<String> hosts;
    private final ClusterAccess access = new ClusterAccess(ClusterKeys.newSecret(), Optional.empty());
    private final List<Process> processes = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /**
     * Agents that aren't there yet.
     *
     * @param hosts as ssh understands them
     */
    SshAgents(List<String> hosts) {
        this.hosts = hosts;
    }

    /** The jar that this command was started from; empty in {@code mvn exec:java}. */
    static Optional<Path> jar() {
        String path = SshAgents.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        return Optional.of(Path.of(path)).filter(Files::isRegularFile);
    }

    @Override
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (String host : hosts) {
            String name = host.substring(host.indexOf('@') + 1).replaceAll("[^A-Za-z0-9._-]", "-");
            String unique = name;
            for (int i = 2; names.contains(unique); i++) {
                unique = name + "-" + i;
            }
            names.add(unique);
        }
        return names;
    }

    @Override
    public ClusterAccess access() {
        return access;
    }

    @Override
    public void start(ClusterPlan cluster, InetSocketAddress coordinator, Path folder, PrintStream err)
            throws IOException {
        PrivateFiles.createDirectories(folder);
        Path jar = jar().orElseThrow();
        String copy = "phaseload-" + sha256(jar) + ".jar";
        String greeting = access.secret() + "\n";
        List<String> names = names();
        for (int i = 0; i < hosts.size(); i++) {
            String host = hosts.get(i);
            String name = names.get(i);
            File log = Launcher.log(folder, name);
            Thread thread = new Thread(
                    () -> {
                        try {
                            copy(host, jar, copy, log, err);
                            run(host, script(copy, name, coordinator, cluster.agentOptions()), greeting, log);
                        } catch (IOException e) {
                            err.println("agent " + name + ": " + e.getMessage());
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    "ssh-" + name);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private static void copy(String host, Path jar, String copy, File log, PrintStream err)
            throws IOException, InterruptedException {
        String file = CACHE + "/" + copy;
        if (ssh(host, "test -f " + file, log).waitFor() == 0) {
            return;
        }
        err.println("Copying the jar to " + host + ".");
        Process process = ssh(
                host,
                "umask 077; mkdir -p %s && t=$(mktemp %s/part.XXXXXX) && cat >\"$t\" && mv \"$t\" %s"
                        .formatted(CACHE, CACHE, file),
                log);
        try (OutputStream to = process.getOutputStream()) {
            Files.copy(jar, to);
        } catch (IOException e) {
            // Said by ssh.
        }
        if (process.waitFor() != 0) {
            throw new IOException("the jar couldn't be copied; see " + log);
        }
    }

    /** Until standard input ends, which is when this command lets go of it, or the connection ends. */
    private static String script(String copy, String name, InetSocketAddress coordinator, List<String> options) {
        return """
               umask 077; mkdir -p %s && cd %s || exit 1
               IFS= read -r PHASELOAD_CLUSTER_SECRET; export PHASELOAD_CLUSTER_SECRET
               java -jar %s/%s agent --coordinator %s:%d --name %s %s %s
               """
                .formatted(
                        STATE,
                        STATE,
                        CACHE,
                        copy,
                        coordinator.getHostString(),
                        coordinator.getPort(),
                        name,
                        UNTIL_INPUT_ENDS,
                        String.join(" ", options));
    }

    private void run(String host, String script, String greeting, File log) throws IOException {
        Process process = ssh(host, script, log);
        processes.add(process);
        OutputStream to = process.getOutputStream();
        to.write(greeting.getBytes(StandardCharsets.US_ASCII));
        to.flush();
        if (closed) {
            to.close();
        }
    }

    private static Process ssh(String host, String command, File log) throws IOException {
        List<String> line =
                Stream.concat(SSH.stream(), Stream.of(host, command)).toList();
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }

    private static String sha256(Path jar) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        List<Process> all = List.copyOf(processes);
        for (Process process : all) {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                // It has ended.
            }
        }
        Launcher.await(all);
    }
}
