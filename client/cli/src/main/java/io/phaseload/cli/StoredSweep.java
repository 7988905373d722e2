package io.phaseload.cli;

import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.result.Secrets;
import io.phaseload.result.json.FileProblem;
import io.phaseload.sweep.SweepInfo;
import io.phaseload.sweep.SweepJson;
import io.phaseload.sweep.trials.TrialCsv;
import io.phaseload.sweep.trials.TrialTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A sweep that goes on, as its folder holds it.
 *
 * @param folder of the sweep
 * @param startedAt when it began
 * @param arguments its command line, with the secrets that weren't kept
 */
record StoredSweep(Path folder, Instant startedAt, List<String> arguments) {

    private static final Set<String> ALLOWED_BESIDE =
            Set.of("--resume", "--header", "--json", "--junit", "--quiet");

    /**
     * Reads it.
     *
     * @param options with the folder
     * @param parser that read them
     */
    static StoredSweep read(SweepOptions options, OptionParser parser) throws UsageException {
        for (String option : parser.given()) {
            if (!ALLOWED_BESIDE.contains(option)) {
                throw new UsageException(option + ": expected no --resume beside it");
            }
        }
        Path folder = Checked.value("--resume", options.resume, Path::of, "a sweep's folder");
        try {
            SweepInfo sweep = SweepJson.read(folder).info();
            if (sweep.isMerged()) {
                throw new IOException("it was merged from others, which can be resumed");
            }
            return new StoredSweep(
                    folder,
                    sweep.startedAt(),
                    withSecrets(options.resume, sweep.arguments(), headers(parser.handedOn())));
        } catch (IOException e) {
            throw new UsageException(
                    "--resume %s: expected a sweep's folder: %s"
                            .formatted(options.resume, FileProblem.of(e)));
        }
    }

    /** What it was asked to do. */
    SweepSetup setup() throws UsageException {
        SweepOptions options = new SweepOptions();
        // Without system properties: what they said is among the arguments.
        OptionParser parser = OptionParser.handingOn(options, new RunOptions(), property -> null);
        parser.parse(arguments.toArray(String[]::new));
        return SweepSetup.of(options, parser);
    }

    /** The trials that are over. */
    TrialTable trials(SweepSetup setup) throws UsageException {
        try {
            TrialTable table = TrialCsv.read(folder);
            if (!table.columns().equals(setup.rows().columns())) {
                throw new IOException("its trials.csv has other columns");
            }
            TrialTable whole = table.wholeTrials(setup.operations().size());
            TrialCsv.write(folder, whole);
            return whole;
        } catch (IOException e) {
            throw new UsageException(
                    "--resume %s: expected a sweep's folder: %s"
                            .formatted(folder, FileProblem.of(e)));
        }
    }

    /** By lower-case name; what is handed on is headers alone. */
    private static Map<String, String> headers(List<String> handedOn) {
        Map<String, String> headers = new HashMap<>();
        for (int i = 1; i < handedOn.size(); i += 2) {
            headers.put(name(handedOn.get(i)), handedOn.get(i));
        }
        return headers;
    }

    private static String name(String header) {
        return header.split(":", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static List<String> withSecrets(
            String resume, List<String> arguments, Map<String, String> headers)
            throws UsageException {
        List<String> line = new ArrayList<>();
        for (String word : arguments) {
            if (!word.contains(Secrets.REDACTED)) {
                line.add(word);
            } else if (headers.containsKey(name(word))) {
                line.add(headers.get(name(word)));
            } else if (word.endsWith(": " + Secrets.REDACTED)) {
                String header = word.split(":", 2)[0];
                throw new UsageException(
                        "--resume %s: its header %s was a secret: expected --header '%s: …' beside it"
                                .formatted(resume, header, header));
            } else {
                throw new UsageException(
                        "--resume %s: %s: a secret isn't kept, so it can't go on"
                                .formatted(resume, word));
            }
        }
        return line;
    }
}
