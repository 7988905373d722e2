package io.phaseload.prove;

import io.phaseload.files.AtomicFile;
import io.phaseload.result.SelfProof;
import io.phaseload.result.json.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of the last {@link SelfProof}, which later results read. */
public final class SelfProofFile {

    private SelfProofFile() {}

    /**
     * Replaces the outcome that is kept.
     *
     * @param proof the new one
     * @throws IOException if it can't be written
     */
    public static void keep(SelfProof proof) throws IOException {
        Path file = SelfProof.file();
        Files.createDirectories(file.getParent());
        AtomicFile.write(file, ResultJson.text(proof));
    }
}
