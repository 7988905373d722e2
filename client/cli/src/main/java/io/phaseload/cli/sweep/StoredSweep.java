package io.phaseload.cli.sweep;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.GeneralOptions;
import io.phaseload.input.Secrets;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.settings.Setting;
import io.phaseload.sweep.SweepInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A sweep to resume, as it was stored.
 *
 * @param folder of the sweep
 * @param arguments its command line, with the secrets that aren't stored
 */
record StoredSweep(Path folder, List<String> arguments) {

    static final String SWEEP = "a sweep's folder";

    private static final Set<String> ALLOWED_BESIDE =
            Set.of("--resume", "--header", "--json", "--junit", "--quiet", "--live", "--control-token");

    /**
     * Reads it.
     *
     * @param options that name the folder
     * @param parser of the options
     */
    static StoredSweep read(SweepOptions options, OptionParser parser) {
        for (String option : parser.given()) {
            UsageException.throwIf(!ALLOWED_BESIDE.contains(option), "%s cannot be combined with --resume", option);
        }
        Path folder = Checked.value("--resume", options.resume, Path::of, SWEEP);
        SweepInfo sweep = Checked.file("--resume " + folder, SWEEP, () -> {
            SweepInfo info = SweepInfo.toResume(folder);
            if (info.arguments().isEmpty()) {
                throw new IOException("it was made by the library; resume it there");
            }
            return info;
        });
        return new StoredSweep(
                folder, withSecrets(options.resume, sweep.arguments(), headers(options.plan.texts(Setting.HEADER))));
    }

    /** The sweep of its command line. */
    SweepSetup setup() {
        SweepOptions options = new SweepOptions();
        // Without system properties and variables: their values are among the arguments.
        MoreOptions all = () -> List.of(options, new GeneralOptions());
        OptionParser parser = new OptionParser(all, property -> null, variable -> null);
        parser.parse(arguments.toArray(String[]::new));
        return SweepSetup.of(options, parser);
    }

    /** By lower-case name. */
    private static Map<String, String> headers(List<String> typed) {
        Map<String, String> headers = new HashMap<>();
        typed.forEach(header -> headers.put(name(header), header));
        return headers;
    }

    private static String name(String header) {
        return header.split(":", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static List<String> withSecrets(String resume, List<String> arguments, Map<String, String> headers) {
        List<String> line = new ArrayList<>();
        for (String word : arguments) {
            if (!word.contains(Secrets.REDACTED)) {
                line.add(word);
            } else if (headers.containsKey(name(word))) {
                line.add(headers.get(name(word)));
            } else if (word.endsWith(": " + Secrets.REDACTED)) {
                String header = word.split(":", 2)[0];
                throw new UsageException(
                        "--resume %s needs --header '%s: …': it is a secret, and secrets aren't kept", resume, header);
            } else {
                throw new UsageException(
                        "--resume %s: its %s was a secret, which wasn't kept, so it cannot be resumed", resume, word);
            }
        }
        return line;
    }
}
