package io.phaseload.http.request;

import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.Received;
import io.phaseload.journey.Session;
import io.phaseload.journey.Slots;
import io.phaseload.journey.Text;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.journey.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The checks of an operation's responses. Immutable, and shared by all users.
 *
 * <p>Without a check of the status, 200 to 399 is a success. With one, a response with status 429 or 500 to 599 that it
 * doesn't allow still fails as that status: the service failed, whatever was expected of it.
 */
public final class ResponseChecks {

    /** A check that is ready to be asked. */
    private record Rule(String cause, ResponseTest test, boolean negated, boolean ofStatus) {

        private static Rule of(Check check, @Nullable Text text) {
            Check within = check instanceof Check.Soft soft ? soft.check() : check;
            Check bare = within instanceof Check.Named named ? named.check() : within;
            return bare instanceof Check.Negated opposite
                    ? new Rule(check.cause(), ResponseTest.of(opposite.check(), text), true, check.ofStatus())
                    : new Rule(check.cause(), ResponseTest.of(bare, text), false, check.ofStatus());
        }

        private boolean holds(Received response, @Nullable Session session, long sentNanos) {
            return test.holds(response, session, sentNanos) != negated;
        }
    }

    private final Rule[] hard;
    private final Rule[] soft;
    private final boolean ofStatus;
    private final boolean ofHead;
    private final boolean ofBody;

    /** Checks that are the same each time. */
    ResponseChecks(List<Check> checks) {
        this(checks, new Text[checks.size()]);
    }

    private ResponseChecks(List<Check> checks, @Nullable Text[] texts) {
        List<Rule> failing = new ArrayList<>();
        List<Rule> warning = new ArrayList<>();
        for (int i = 0; i < texts.length; i++) {
            Check check = checks.get(i);
            (check instanceof Check.Soft ? warning : failing).add(Rule.of(check, texts[i]));
        }
        // Arrays, since iterating a list costs an object per response.
        hard = failing.toArray(Rule[]::new);
        soft = warning.toArray(Rule[]::new);
        ofStatus = checks.stream().anyMatch(Check::ofStatus);
        ofHead = checks.stream().anyMatch(Check::ofHead);
        ofBody = checks.stream().anyMatch(Check::ofBody);
    }

    /** Checks of a step, whose texts are templates. */
    static ResponseChecks of(List<Check> templates, Slots slots) {
        List<Check> checks = new ArrayList<>();
        Text[] texts = new Text[templates.size()];
        for (Check check : templates) {
            Optional<Template> text = check.template().map(Template::parse);
            if (text.filter(Template::isLiteral).isPresent()) {
                checks.add(check.withTemplate(text.get().withValues("")));
            } else {
                text.ifPresent(own -> texts[checks.size()] = Text.body(own.text(), slots));
                checks.add(check);
            }
        }
        return new ResponseChecks(checks, texts);
    }

    /**
     * Prepares the checks of a plan, to find mistakes in expressions and files before a run.
     *
     * @param plan the plan
     * @throws IllegalArgumentException naming the operation, the check and what is allowed
     */
    public static void validate(Plan plan) {
        plan.scenario()
                .operations()
                .forEach(operation -> operation.checks().forEach(check -> validate(operation.name(), check)));
    }

    private static void validate(String operation, Check check) {
        try {
            Rule.of(check, null);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "operation %s: check %s: %s".formatted(operation, check, e.getMessage()), e);
        }
    }

    /** {@return whether a check reads the header} */
    boolean ofHead() {
        return ofHead;
    }

    /** {@return whether a check reads the body} */
    boolean ofBody() {
        return ofBody;
    }

    /**
     * Judges a response.
     *
     * @param response the complete response
     * @param session fills in the texts of a step's checks; otherwise {@code null}
     * @param sentNanos the time at which the request was sent, as {@link System#nanoTime()}
     * @return the failure; {@code null} if all checks hold that aren't soft
     */
    @Nullable Outcome failure(Received response, @Nullable Session session, long sentNanos) {
        int status = response.status();
        boolean refused =
                ofStatus ? isRefusal(status) && !allows(response, session, sentNanos) : status < 200 || status > 399;
        if (refused) {
            return new Outcome.HttpFailure(status, KeptBody.quoted(response.body(), session));
        }
        for (Rule rule : hard) {
            if (!rule.holds(response, session, sentNanos)) {
                return new Outcome.CheckFailure(rule.cause(), rule.test().shown(response, session));
            }
        }
        return null;
    }

    /** Whether a status says that the service failed, rather than that the request was wrong. */
    private static boolean isRefusal(int status) {
        return status >= 500 || status == 429;
    }

    private boolean allows(Received response, @Nullable Session session, long sentNanos) {
        for (Rule rule : hard) {
            if (rule.ofStatus() && !rule.holds(response, session, sentNanos)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Asks the soft checks.
     *
     * @param response the complete response
     * @param session fills in the texts of a step's checks; otherwise {@code null}
     * @param sentNanos the time at which the request was sent, as {@link System#nanoTime()}
     * @return the found values by the causes of the checks that don't hold
     */
    Map<String, String> warnings(Received response, @Nullable Session session, long sentNanos) {
        if (soft.length == 0) {
            return Map.of();
        }
        Map<String, String> warnings = new LinkedHashMap<>();
        for (Rule rule : soft) {
            if (!rule.holds(response, session, sentNanos)) {
                warnings.put(rule.cause(), rule.test().shown(response, session));
            }
        }
        return warnings;
    }
}
