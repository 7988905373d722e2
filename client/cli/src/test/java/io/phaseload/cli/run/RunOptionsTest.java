package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phaseload.cli.command.CliCommand;
import io.phaseload.options.OptionParser;
import io.phaseload.plan.Operation;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.settings.Given;
import io.phaseload.settings.Origin;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunOptionsTest {

    @Test
    void helpTellsTheDefaults() throws Exception {
        Plan plan = Plan.builder(URI.create("http://localhost/")).build();
        String help = new CliCommand("run", new RunCommand()).help().all().replaceAll("\\s+", " ");
        assertThat(help)
                .contains("users at the peak (" + plan.threads() + ")")
                .contains("--timeout T for the complete response (5s)")
                .contains("part of the folder's name (" + plan.name() + ")")
                .contains("(warmup=0.1,loading=0.5,peak=1,cooldown=0.25)")
                .contains("iterations of each user in each phase (100)")
                .contains("of all random numbers (" + plan.seed() + ")")
                .contains("--arrivals constant|poisson constant or poisson (constant)")
                .contains("queue (the request is sent late) or drop (queue)");
    }

    @Test
    void withoutOptionsThePlanIsTheLibrarysOwn() throws Exception {
        URI uri = URI.create("http://localhost/");
        PlanBuilder library = Plan.builder(uri);
        Given url = Given.text(Setting.URL, uri.toString(), new Origin.Option("--url"));
        assertThat(new RunPlan(Settings.NONE.with(Setting.URL, url)).against(uri))
                .isEqualTo(library.build());
        assertThat(new RunPlan(Settings.NONE).against(uri))
                .isEqualTo(library.scenario(Scenario.getThenPost()).build());
    }

    @Test
    void theBriefHelpHas20Options() {
        assertThat(new CliCommand("run", new RunCommand()).help().common()).hasSize(20);
    }

    private static Plan plan(Map<String, String> environment, String... line) {
        RunOptions options = new RunOptions();
        new OptionParser(options, name -> null, environment::get).parse(line);
        return new RunPlan(options.plan.settings()).against(URI.create("http://localhost/"));
    }

    @Test
    void aVariableIsBetweenTheFileAndTheLine(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("plan.yaml"), "target: http://localhost/\nthreads: 3\niterations: 4\nseed: 5\n");
        Map<String, String> environment =
                Map.of("PHASELOAD_PLAN", file.toString(), "PHASELOAD_THREADS", "6", "PHASELOAD_SEED", "7");
        Plan plan = plan(environment, "--seed", "8");
        assertThat(plan.threads()).isEqualTo(6);
        assertThat(plan.seed()).isEqualTo(8);
        assertThat(plan.phases().get(0).length()).isEqualTo(new PhaseLength.Iterations(4));
    }

    /** On one line they would contradict each other. */
    @Test
    void anOptionReplacesWhatAVariableSaysOtherwise() {
        Map<String, String> environment =
                Map.of("PHASELOAD_URL", "http://other/", "PHASELOAD_DURATION", "5s", "PHASELOAD_GET", "/other");
        Plan plan = plan(environment, "--url", "http://localhost/", "-n", "2", "--head", "/");
        assertThat(plan.phases().get(0).length()).isEqualTo(new PhaseLength.Iterations(2));
        assertThat(plan.scenario().operations()).extracting(Operation::name).containsExactly("HEAD /");
    }

    @Test
    void aMessageNamesTheVariable() {
        assertThatThrownBy(() -> plan(Map.of("PHASELOAD_THREADS", "abc")))
                .hasMessage("PHASELOAD_THREADS=abc: expected a whole number of 1 or more, such as 100 or 10k");
        assertThatThrownBy(() -> plan(Map.of("PHASELOAD_RATE", "5/s", "PHASELOAD_THINK", "1s")))
                .hasMessage("PHASELOAD_RATE=5/s cannot be combined with PHASELOAD_THINK");
    }
}
