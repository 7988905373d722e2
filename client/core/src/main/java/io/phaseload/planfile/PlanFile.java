package io.phaseload.planfile;

import io.phaseload.files.PrivateFiles;
import io.phaseload.plan.Plan;
import io.phaseload.settings.Settings;
import io.phaseload.settings.SettingsException;
import io.phaseload.settings.SettingsFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Plans as files, settings and JSON. */
public final class PlanFile {

    private PlanFile() {}

    /**
     * Reads a plan from a file, which can say everything that the command line can; {@code docs/load.md} shows one.
     *
     * @param file YAML or JSON, such as the {@code result.json} of a run; or a results folder, whose
     *     {@code result.json} is read
     * @return the plan, with defaults for what the file leaves out
     * @throws IOException if the file can't be read
     * @throws SettingsException naming the file, the line, the key and what is allowed, if something in the file isn't;
     *     also if the plan had secrets, which files don't keep, or needs the command line: to start a target, or to
     *     sign requests
     */
    public static Plan read(Path file) throws IOException {
        Settings settings = SettingsFile.read(file);
        PlanDocument.checkRunnable(settings);
        return of(settings, Optional.empty());
    }

    /**
     * Makes a plan of settings.
     *
     * @param settings of a command line, a file or both
     * @param started the address of a target that was started for it; empty if the settings have one
     * @return the plan; the caller adds the signer, if there is one
     * @throws SettingsException naming where the first bad setting was written, its value and what is allowed
     */
    public static Plan of(Settings settings, Optional<URI> started) {
        return PlanDocument.of(settings, started);
    }

    /**
     * Writes a file that {@link #read} reads. Secrets are replaced by {@code [redacted]}; put them back before you run
     * the plan.
     *
     * @param file created so that only its user can read it, or overwritten; JSON if its name ends with {@code .json},
     *     else YAML; names other files by their absolute paths
     * @throws IOException if it can't be written
     * @throws IllegalArgumentException as {@link #toJson} does
     */
    public static void write(Plan plan, Path file) throws IOException {
        ObjectNode document = document(plan);
        boolean json = file.toString().endsWith(".json");
        if (Files.notExists(file)) {
            PrivateFiles.create(file);
        }
        Files.writeString(file, json ? document.toPrettyString() + "\n" : YamlText.of(document));
    }

    /**
     * The JSON that {@link #write} writes.
     *
     * @return one object, without secrets
     * @throws IllegalArgumentException if no file can have a part of the plan, such as a negative seed
     */
    public static String toJson(Plan plan) {
        return document(plan).toString();
    }

    /**
     * A plan's JSON as YAML, as {@link #write} writes it.
     *
     * @param json one object
     * @return lines that are read back as the same plan
     */
    public static String yaml(String json) {
        return YamlText.of((ObjectNode) JsonMapper.shared().readTree(json));
    }

    /** The file may be put anywhere. */
    private static ObjectNode document(Plan plan) {
        ObjectNode json = PlanDocument.file(plan.withFiles(Path::toAbsolutePath));
        RouteForm.writeAbsolute(json, plan.target());
        return json;
    }

    /**
     * A plan with its secrets, for a client that runs a part of it; not to be kept.
     *
     * @return JSON that {@link #ofShared} reads; the plan's signer isn't part of it
     * @throws IllegalArgumentException naming a step that is code, which only its JVM can run
     */
    public static String toSharedJson(Plan plan) {
        return PlanDocument.shared(plan).toString();
    }

    /**
     * The plan that another client shares.
     *
     * @param json see {@link #toSharedJson}
     * @return the plan; its {@link Plan#files()} are of the client that sent it
     * @throws SettingsException naming what isn't allowed, such as a socket of this machine
     */
    public static Plan ofShared(String json) {
        return PlanDocument.ofShared(JsonMapper.shared().readTree(json));
    }

    /**
     * A plan as {@code result.json} keeps it.
     *
     * @return one object, without secrets
     */
    public static String toResultJson(Plan plan) {
        return PlanDocument.of(plan).toString();
    }

    /**
     * The plan of a past run: to look at, not to run.
     *
     * @param json see {@link #toResultJson}
     * @return the plan, with {@code [redacted]} in place of its secrets
     * @throws SettingsException naming what isn't allowed
     */
    public static Plan ofResult(String json) {
        return PlanDocument.ofResult(json);
    }
}
