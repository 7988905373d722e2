package io.phaseload.capacity;

import io.phaseload.files.AtomicFile;
import io.phaseload.result.json.JsonFile;
import java.io.IOException;
import java.nio.file.Path;

/** Reads and writes searches as JSON; {@code capacity.schema.json} describes the format. */
public final class CapacityJson {

    /** The name of the file in a search's folder. */
    public static final String FILE = "capacity.json";

    /** The version of the JSON format that is written. */
    public static final int SCHEMA_VERSION = 1;

    private CapacityJson() {}

    /**
     * Writes a search.
     *
     * @param result the search
     * @return indented JSON that ends in a line feed
     */
    public static String write(CapacityResult result) {
        return JsonFile.text(result);
    }

    /**
     * Writes a search into its folder, completely or not at all.
     *
     * @param folder of the search
     * @param result the search
     * @throws IOException if the disk is full or the folder is gone
     */
    public static void write(Path folder, CapacityResult result) throws IOException {
        AtomicFile.write(folder.resolve(FILE), write(result));
    }

    /**
     * Reads a search.
     *
     * @param folder of the search
     * @return the search as it was last written
     * @throws IOException if it is missing or malformed
     */
    public static CapacityResult read(Path folder) throws IOException {
        return JsonFile.read(folder.resolve(FILE), SCHEMA_VERSION, CapacityResult.class);
    }
}
