package io.phaseload.sweep;

import io.phaseload.files.AtomicFile;
import io.phaseload.files.PrivateFiles;
import io.phaseload.result.store.ResultFolder;
import io.phaseload.sweep.rows.TrialCsv;
import io.phaseload.sweep.rows.TrialRows;
import io.phaseload.sweep.trials.Trial;
import io.phaseload.sweep.trials.TrialTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The folder of a sweep that is running.
 *
 * @param path its place
 */
record SweepFolder(Path path) {

    /** A subfolder for what unfinished trials left. */
    private static final String UNFINISHED = "unfinished";

    /** Starts its table. */
    void create(TrialTable none) throws IOException {
        ResultFolder.at(path);
        TrialCsv.write(path, none);
    }

    /**
     * Reads the finished trials, and removes the rest of a truncated one.
     *
     * @param columns the columns of the sweep as it runs now
     * @param operations the number of rows per trial
     */
    TrialTable resume(List<String> columns, int operations) throws IOException {
        TrialTable table = TrialCsv.read(path);
        // An older version may have written fewer of the fixed columns.
        List<String> written = columns.stream()
                .filter(column -> TrialRows.isFree(column) || table.columns().contains(column))
                .toList();
        if (!table.columns().equals(written)) {
            throw new IOException("its trials.csv has other columns");
        }
        TrialTable whole = TrialTable.of(columns, table.wholeTrials(operations).rows());
        TrialCsv.write(path, whole);
        return whole;
    }

    void write(SweepResult result) throws IOException {
        AtomicFile.write(path.resolve(SweepJson.FILE), SweepJson.write(result));
    }

    /** A new folder for a trial's results. */
    ResultFolder trial(Trial trial) throws IOException {
        Path own = path.resolve(trial.folder());
        setAside(own, trial);
        PrivateFiles.createDirectories(own.getParent());
        return ResultFolder.at(own);
    }

    /** The files of an interrupted trial are kept, but apart from the trials that count. */
    private void setAside(Path own, Trial trial) throws IOException {
        if (Files.exists(own)) {
            Path unfinished = path.resolve(UNFINISHED);
            PrivateFiles.createDirectories(unfinished);
            String name = trial.folder().replace('/', '-');
            int i = 1;
            while (Files.exists(unfinished.resolve(name + "-" + i))) {
                i++;
            }
            Files.move(own, unfinished.resolve(name + "-" + i));
        }
    }
}
