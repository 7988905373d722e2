package io.phaseload.result.store;

import io.phaseload.engine.Measurement;
import io.phaseload.files.AtomicFile;
import io.phaseload.files.PrivateFiles;
import io.phaseload.plan.Plan;
import io.phaseload.result.Environment;
import io.phaseload.result.Result;
import io.phaseload.result.build.ResultBuilder;
import io.phaseload.result.json.ResultJson;
import io.phaseload.run.EngineUse;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/**
 * The folder of one run's data: {@code result.json}, {@code intervals.csv} and {@code latency.hlog}. Reports are
 * written beside them, by phaseload-report.
 *
 * @param path the folder
 */
public record ResultFolder(Path path) {

    static final String RESULT = "result.json";

    /** The names of the files of a run's data. */
    public static final List<String> FILES = List.of(RESULT, IntervalFiles.CSV, IntervalFiles.HLOG);

    private static final DateTimeFormatter UTC_TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    /**
     * Creates a new folder named after time and run, which only its user can read.
     *
     * @param parent created if missing
     * @param startedAt the time for the name, to the second, in UTC
     * @param name the run's
     * @return the folder; if the name is taken, with a number added
     * @throws IOException if it can't be created
     */
    public static ResultFolder create(Path parent, Instant startedAt, String name) throws IOException {
        Files.createDirectories(parent);
        String base = UTC_TIME.format(startedAt) + "-" + name;
        for (int i = 1; ; i++) {
            Path path = parent.resolve(i == 1 ? base : base + "-" + i);
            try {
                return new ResultFolder(PrivateFiles.createDirectory(path));
            } catch (FileAlreadyExistsException e) {
                // Another run has taken it in the same second.
            }
        }
    }

    /**
     * Uses a folder that the user named.
     *
     * @param path created for its user alone if missing
     * @return the folder
     * @throws FileAlreadyExistsException if it holds anything
     * @throws IOException if it can't be created or written to
     */
    public static ResultFolder at(Path path) throws IOException {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new NotDirectoryException(path.toString());
        }
        PrivateFiles.createDirectories(path);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            if (files.iterator().hasNext()) {
                throw new FileAlreadyExistsException(path.toString());
            }
        }
        if (!Files.isWritable(path)) {
            throw new AccessDeniedException(path.toString());
        }
        return new ResultFolder(path);
    }

    /**
     * Writes what is known before a run, so that a killed run can be read, and opens the files that the run writes as
     * it goes on.
     *
     * @param plan the plan that will be run
     * @return the files, which the caller closes
     * @throws IOException if they can't be created or written to; they are then removed
     */
    public IntervalFiles begin(Plan plan) throws IOException {
        IntervalFiles intervals = open(plan);
        try {
            writePlan(plan);
            return intervals;
        } catch (IOException e) {
            intervals.close();
            abandon();
            throw e;
        }
    }

    /**
     * Opens the files that a run writes as it goes on, and no more: {@link #writePlan} writes what is known before.
     *
     * @param plan the plan that will be run
     * @return the files, which the caller closes
     * @throws IOException if they can't be created or written to; they are then removed
     */
    public IntervalFiles open(Plan plan) throws IOException {
        try {
            return new IntervalFiles(path, plan.scenario(), plan.serverFigures());
        } catch (IOException e) {
            abandon();
            throw e;
        }
    }

    /**
     * Removes the files of a run that didn't take place.
     *
     * @throws IOException if it can't be deleted
     */
    public void abandon() throws IOException {
        for (String name : FILES) {
            Files.deleteIfExists(path.resolve(name));
        }
    }

    /**
     * Writes what is known before a run, so that a killed run can be read.
     *
     * @param plan the plan that will be run
     * @throws IOException if it can't be written
     */
    public void writePlan(Plan plan) throws IOException {
        Measurement nothingYet = new Measurement(
                EngineUse.of(plan.engine().name()),
                Instant.now(),
                Duration.ZERO,
                List.of(),
                true,
                Optional.empty(),
                List.of());
        Result result = ResultBuilder.of(plan, Environment.capture(), nothingYet);
        write(result);
    }

    /**
     * Writes {@code result.json}, completely or not at all.
     *
     * @param result the result
     * @throws IOException if the disk is full or the folder is gone
     */
    public void write(Result result) throws IOException {
        AtomicFile.write(path.resolve(RESULT), out -> ResultJson.write(result, out));
    }
}
