package io.phaseload.cluster;

import io.phaseload.cluster.wire.Message;
import io.phaseload.plan.Plan;
import io.phaseload.plan.TlsFiles;
import io.phaseload.settings.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files that a plan names: their contents go with it, so that an agent never opens a file of
 * its own machine because a plan says so. Copies are in a folder that only the agent's user can
 * read.
 *
 * @param plan with the copies in place of the files
 * @param folder of the copies; empty if there are none
 */
record ShippedFiles(Plan plan, Optional<Path> folder) implements AutoCloseable {

    /** What has to go with a plan. */
    static Map<String, byte[]> contents(Plan plan) throws IOException {
        Map<String, byte[]> contents = new HashMap<>();
        TlsFiles files = plan.target().tlsFiles();
        for (var file :
                Map.of(
                                Setting.CACERT, files.authorities(),
                                Setting.CERT, files.certificate(),
                                Setting.KEY, files.key())
                        .entrySet()) {
            if (file.getValue().isPresent()) {
                contents.put(file.getKey().name(), Files.readAllBytes(file.getValue().get()));
            }
        }
        return contents;
    }

    static ShippedFiles of(Message.Order order) throws IOException {
        Plan plan = Plan.ofShared(order.plan().toString());
        if (order.files().isEmpty()) {
            return new ShippedFiles(with(plan, TlsFiles.NONE), Optional.empty());
        }
        Path folder = Files.createTempDirectory("phaseload-agent");
        ShippedFiles shipped = new ShippedFiles(plan, Optional.of(folder));
        TlsFiles copies =
                new TlsFiles(
                        shipped.copy(Setting.CACERT, order),
                        shipped.copy(Setting.CERT, order),
                        shipped.copy(Setting.KEY, order));
        return new ShippedFiles(with(plan, copies), Optional.of(folder));
    }

    private static Plan with(Plan plan, TlsFiles files) {
        return new Plan(
                plan.name(),
                plan.target().withTlsFiles(files),
                plan.scenario(),
                plan.threads(),
                plan.phases(),
                plan.engine(),
                plan.virtualThreads(),
                plan.seed(),
                plan.labels(),
                plan.serverMetrics(),
                plan.thresholds(),
                plan.part(),
                plan.signer());
    }

    private Optional<Path> copy(Setting file, Message.Order order) throws IOException {
        byte[] content = order.files().get(file.name());
        return content == null
                ? Optional.empty()
                : Optional.of(Files.write(folder.orElseThrow().resolve(file.name()), content));
    }

    @Override
    public void close() {
        folder.ifPresent(
                path -> {
                    try {
                        for (Setting file :
                                new Setting[] {Setting.CACERT, Setting.CERT, Setting.KEY}) {
                            Files.deleteIfExists(path.resolve(file.name()));
                        }
                        Files.delete(path);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }
}
