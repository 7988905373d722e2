package io.phaseload.planfile;

import io.phaseload.plan.Header;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Credentials;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.journey.SessionRules;
import io.phaseload.plan.journey.Template;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.util.List;

/**
 * The session rules of our own client's users, as settings for all scenarios that don't say it themselves. Requests
 * that are the same each time become a journey by them.
 *
 * @param rules of all
 */
record SessionForm(Settings settings, SessionRules rules) {

    private static final List<String> ALL =
            List.of("client.followRedirects", "client.keepCookies", "client.decode", "client.credentials");

    /** As curl does. */
    private static final int MOST_REDIRECTS = 50;

    /** {@link SessionRules#NONE} for a client that has rules of its own. */
    static SessionForm of(Settings settings) {
        if (!settings.text(Setting.CLIENT).equals(EngineSettings.WIRE)) {
            return new SessionForm(settings, SessionRules.NONE);
        }
        settings.read("client.credentials", Credentials::parse);
        if (ALL.stream().noneMatch(settings::isAsked)) {
            // The constant says that there is nothing to do.
            return new SessionForm(settings, SessionRules.NONE);
        }
        SessionRules rules = new SessionRules(
                settings.flag("client.keepCookies"),
                settings.flag("client.followRedirects") ? MOST_REDIRECTS : 0,
                settings.flag("client.decode"),
                false,
                settings.one("client.credentials").map(Given::text).map(Template::quoted));
        return new SessionForm(settings, rules);
    }

    private boolean makesJourney() {
        return rules != SessionRules.NONE && !settings.has(Setting.SCENARIOS);
    }

    Scenario scenario(Scenario requests) {
        if (!makesJourney()) {
            return requests;
        }
        if (!requests.weights().isEmpty()) {
            throw asked().wrong("expected requests without weights, or a plan with scenarios");
        }
        return requests.withSession(rules);
    }

    /** Headers of a journey's requests are templates. */
    Target target(Target target) {
        return makesJourney()
                ? target.withHeaders(target.headers().stream()
                        .map(header -> new Header(header.name(), Template.quoted(header.value())))
                        .toList())
                : target;
    }

    /** Refuses what requests can't be that were made a journey. */
    void check(Scenario scenario, List<Phase> phases) {
        if (!makesJourney()) {
            return;
        }
        Given asked = asked();
        if (settings.has(Setting.AWS_SIGV4)) {
            throw asked.conflict(settings.given(Setting.AWS_SIGV4));
        }
        boolean open = phases.stream().anyMatch(phase -> phase.load() instanceof Load.Open);
        if (open && scenario.operations().size() > (rules.followUps() ? 2 : 1)) {
            throw asked.wrong(
                    "expected one request with a rate, or a plan with scenarios: an arrival would" + " be all of them");
        }
    }

    private Given asked() {
        return ALL.stream()
                .filter(settings::isAsked)
                .findFirst()
                .flatMap(settings::one)
                .orElseThrow();
    }
}
