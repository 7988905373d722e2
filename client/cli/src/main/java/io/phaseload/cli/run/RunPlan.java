package io.phaseload.cli.run;

import io.phaseload.aws.AwsSigV4;
import io.phaseload.engine.Engines;
import io.phaseload.engine.threads.UserThreads;
import io.phaseload.http.request.ResponseChecks;
import io.phaseload.http.tls.TlsMaterial;
import io.phaseload.journey.JourneyData;
import io.phaseload.options.UsageException;
import io.phaseload.options.ValueException;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.TlsFiles;
import io.phaseload.planfile.PlanFile;
import io.phaseload.run.RunListener;
import io.phaseload.settings.Given;
import io.phaseload.settings.Origin;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import io.phaseload.settings.SettingsException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes a plan from settings, and reports mistakes in them to the user.
 *
 * @param settings of the command line over those of a file
 */
public record RunPlan(Settings settings) {

    /** Settings with a value that the command gives as if it were typed. */
    public static Settings with(Settings settings, String setting, String text) {
        Origin origin = new Origin.Option(Setting.of(setting).option());
        return settings.with(setting, Given.text(setting, text, origin));
    }

    /** The address to send to; empty if a target is to be started. */
    public Optional<URI> url() {
        if (settings.has(Setting.URL) && settings.has(Setting.TARGET)) {
            throw new UsageException(
                    settings.conflict(Setting.TARGET, Setting.URL).getMessage());
        }
        return checked(() -> settings.read(Setting.URL, Target::parse).map(Target::uri));
    }

    /** The target that the run starts itself if there is no address. */
    public LocalTarget local() {
        return checked(() -> LocalTarget.of(settings));
    }

    /** The plan against an address. */
    public Plan against(URI uri) {
        return checked(() -> made(uri));
    }

    /**
     * The plan against its address, with its requests signed if the settings say so.
     *
     * @param started the address of the target that was started, for a plan that has none
     */
    public Plan signed(URI started) {
        return sign(against(url().orElse(started)));
    }

    /** A plan with its requests signed, if the settings say so. */
    Plan sign(Plan plan) {
        Optional<Given> asked = settings.one(Setting.AWS_SIGV4);
        if (asked.isEmpty()) {
            return plan;
        }
        URI url = url().orElseThrow(() ->
                new UsageException(asked.get().needs(Setting.URL, "").getMessage()));
        return checked(() -> settings.read(Setting.AWS_SIGV4, text -> AwsSigV4.of(text, url))
                .map(plan::signedBy)
                .orElseThrow());
    }

    /** Checks that the data of its journeys is there, which only a run needs; names the lines that name data. */
    public void checkDataOf(Plan plan) {
        for (Given named : settings.all(Setting.DATA)) {
            Given data = named.part(named.keys().get(0)).orElseThrow();
            data.part("csv").or(() -> data.part("json")).ifPresent(RunPlan::checkReadable);
        }
        try {
            JourneyData.check(plan, System.getenv());
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    private static void checkReadable(Given file) {
        Path path = file.file();
        if (!Files.isReadable(path)) {
            String where = path.toString().equals(file.text()) ? "" : ": " + path;
            throw new UsageException(
                    file.wrong("expected a file that can be read" + where).getMessage());
        }
    }

    /** The plan as a file has it. */
    String json(Plan plan) {
        return checked(() -> PlanFile.toJson(plan));
    }

    /** A wrong setting is a mistake of the user's. */
    static <T> T checked(Supplier<T> part) {
        try {
            return part.get();
        } catch (SettingsException e) {
            throw new UsageException(e.getMessage());
        }
    }

    private Plan made(URI uri) {
        List<String> engines = Engines.names();
        if (!engines.contains(settings.text(Setting.ENGINE))) {
            throw given(Setting.ENGINE).wrong("expected " + String.join(" or ", engines));
        }
        Plan plan = PlanFile.of(settings, settings.has(Setting.URL) ? Optional.empty() : Optional.of(uri));
        if (settings.flag("virtualThreads") && !UserThreads.virtualSupported()) {
            throw given("virtualThreads")
                    .wrong("needs Java 21 or newer, this is Java "
                            + Runtime.version().feature());
        }
        checkFiles(plan.target().tlsFiles());
        try {
            ResponseChecks.validate(plan);
        } catch (IllegalArgumentException e) {
            throw new SettingsException(e.getMessage());
        }
        try {
            Engines.create(plan, RunListener.NONE);
        } catch (IllegalArgumentException e) {
            throw settings.one(Setting.ENGINE)
                    .map(engine -> engine.wrong(e.getMessage()))
                    .orElseGet(() -> new SettingsException("--engine threads: " + e.getMessage()));
        }
        return plan;
    }

    private Given given(String setting) {
        return settings.one(setting).orElseThrow();
    }

    /** Reads certificates before the run, to find mistakes in them. */
    private void checkFiles(TlsFiles files) {
        check("target.cacert", new TlsFiles(files.authorities(), Optional.empty(), Optional.empty()));
        check(
                files.key().isPresent() ? "target.key" : "target.cert",
                new TlsFiles(Optional.empty(), files.certificate(), files.key()));
    }

    private void check(String setting, TlsFiles files) {
        try {
            TlsMaterial.read(files);
        } catch (ValueException e) {
            // Its subject is the file, in quotes: the certificate's or the key's.
            boolean certificate = files.certificate()
                    .filter(file -> e.subject().equals("'" + file + "'"))
                    .isPresent();
            throw given(certificate ? "target.cert" : setting).wrong("expected " + e.expected());
        }
    }
}
