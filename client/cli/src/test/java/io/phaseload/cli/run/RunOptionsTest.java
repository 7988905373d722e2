package io.phaseload.cli.run;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.options.OptionParser;
import io.phaseload.options.OptionSpec;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.Scenario;
import io.phaseload.settings.Given;
import io.phaseload.settings.Origin;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunOptionsTest {

    /** An option wherever it stands, also in prose; not a system property. */
    private static final Pattern MENTIONED = Pattern.compile("(?<![\\w-])(--[a-z][a-z0-9-]*|-[A-Za-z])(?![\\w-])");

    /** What stands before the description at the beginning of a line: one option or several. */
    private static final Pattern DESCRIBED = Pattern.compile("(?m)^  (-\\S.*?)(?=  |$)");

    @Test
    void helpMentionsEveryOptionAndNoOther() {
        assertThat(mentioned())
                .containsExactlyInAnyOrderElementsOf(options()
                        .flatMap(o -> Stream.concat(named(o), aliases(o)))
                        .toList());
    }

    @Test
    void helpDescribesEveryOptionAtTheBeginningOfALineBesideItsAlias() {
        List<String> expected = options()
                .map(o -> Stream.concat(aliases(o), named(o)).collect(joining(", ")))
                .toList();
        assertThat(described()).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** Such as {@code -c, --threads}: without the value, and with the alias before it. */
    private static List<String> described() {
        return DESCRIBED
                .matcher(RunOptions.HELP)
                .results()
                .flatMap(match -> Stream.of(match.group(1).split("(?<=--[a-z0-9-]{1,20}(?: [^,]{1,20})?), ")))
                .map(option -> option.replaceFirst("(--[a-z0-9-]+) .*", "$1"))
                .toList();
    }

    @Test
    void helpTellsTheDefaults() throws Exception {
        Plan plan = Plan.builder(URI.create("http://localhost/")).build();
        assertThat(RunOptions.HELP)
                .contains("users at the peak (" + plan.threads() + ")")
                .contains("T            for the complete response (5s)")
                .contains("part of the folder's name (" + plan.name() + ")")
                .contains("(warmup=0.1,loading=0.5,peak=1,cooldown=0.25)")
                .contains("iterations of each user in each phase (100)")
                .contains("of all random numbers (" + plan.seed() + ")")
                .contains("constant or poisson (constant)")
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

    private static Set<String> mentioned() {
        return MENTIONED
                .matcher(RunOptions.HELP)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
    }

    private static Stream<OptionSpec> options() {
        return new OptionParser(new RunOptions()).options().stream();
    }

    /** One that help doesn't have by its name is there for its alias. */
    private static Stream<String> named(OptionSpec option) {
        return option.hidden() ? Stream.of() : Stream.of(option.name());
    }

    private static Stream<String> aliases(OptionSpec option) {
        return option.aliases().stream();
    }
}
