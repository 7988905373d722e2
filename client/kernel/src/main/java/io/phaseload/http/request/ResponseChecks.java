package io.phaseload.http.request;

import io.phaseload.http.request.ResponseTest.TestResult;
import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.Received;
import io.phaseload.journey.CompiledTemplate;
import io.phaseload.journey.Session;
import io.phaseload.journey.Slots;
import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Plan;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Subject;
import io.phaseload.plan.journey.Template;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The checks of an operation's responses. Immutable, and shared by all users.
 *
 * <p>Without a check of the status, 200 to 399 is a success. A check such as {@code status=404} or {@code status<500}
 * replaces that rule; a negated one, such as {@code status!=302}, only narrows it. A response with status 429 or 500 to
 * 599 that isn't allowed fails as that status: the service failed, whatever was expected of it.
 */
public final class ResponseChecks {

    private static final int LEAST = 200;
    private static final int MOST = 399;

    /** A check that is ready to be asked. */
    private record PreparedCheck(Cause cause, ResponseTest test, boolean negated, boolean ofStatus) {

        private static PreparedCheck of(Check check, @Nullable CompiledTemplate text) {
            Check within = check instanceof Check.Soft soft ? soft.check() : check;
            Check bare = within instanceof Check.Named named ? named.check() : within;
            return bare instanceof Check.Negated opposite
                    ? new PreparedCheck(
                            Cause.of(check.cause()), ResponseTest.of(opposite.check(), text), true, check.ofStatus())
                    : new PreparedCheck(Cause.of(check.cause()), ResponseTest.of(bare, text), false, check.ofStatus());
        }

        private boolean holds(TestResult found) {
            return negated ? found.opposite() : found == TestResult.HOLDS;
        }
    }

    private final PreparedCheck[] hard;
    private final PreparedCheck[] soft;
    // Those of hard that look at the status, and the negated ones of these.
    private final PreparedCheck[] ofStatus;
    private final PreparedCheck[] restricting;
    // Whether one of them replaces the rule that 200 to 399 is a success.
    private final boolean allowed;
    private final boolean ofHead;
    private final boolean ofBody;
    private final boolean ofSize;

    /** Checks that are the same each time. */
    ResponseChecks(List<Check> checks) {
        this(checks, Collections.nCopies(checks.size(), null));
    }

    private ResponseChecks(List<Check> checks, List<@Nullable CompiledTemplate> texts) {
        List<PreparedCheck> failing = new ArrayList<>();
        List<PreparedCheck> warning = new ArrayList<>();
        for (int i = 0; i < checks.size(); i++) {
            Check check = checks.get(i);
            (check instanceof Check.Soft ? warning : failing).add(PreparedCheck.of(check, texts.get(i)));
        }
        // Arrays, since iterating a list costs an object per response.
        hard = failing.toArray(PreparedCheck[]::new);
        soft = warning.toArray(PreparedCheck[]::new);
        ofStatus = failing.stream().filter(PreparedCheck::ofStatus).toArray(PreparedCheck[]::new);
        restricting = Stream.of(ofStatus).filter(PreparedCheck::negated).toArray(PreparedCheck[]::new);
        allowed = ofStatus.length > restricting.length;
        ofHead = checks.stream().anyMatch(Check::ofHead);
        ofBody = checks.stream().anyMatch(Check::ofBody);
        ofSize = Stream.concat(failing.stream(), warning.stream())
                .anyMatch(rule -> rule.test() instanceof NumberTest number
                        && number.subject().kind() == Subject.Kind.SIZE);
    }

    /** Checks of a step, whose texts are templates. */
    static ResponseChecks of(List<Check> templates, Slots slots) {
        List<Check> checks = new ArrayList<>();
        List<@Nullable CompiledTemplate> texts = new ArrayList<>();
        for (Check check : templates) {
            Optional<Template> text = check.template().map(Template::parse);
            boolean literal = text.filter(Template::isLiteral).isPresent();
            checks.add(literal ? check.withTemplate(text.get().withValues("")) : check);
            texts.add(
                    literal || text.isEmpty()
                            ? null
                            : CompiledTemplate.body(text.get().text(), slots));
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
            PreparedCheck.of(check, null);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "operation %s: check %s: %s".formatted(operation, check, e.getMessage()), e);
        }
    }

    /** {@return true if a check reads the header} */
    boolean ofHead() {
        return ofHead;
    }

    /** {@return true if a check reads the body} */
    boolean ofBody() {
        return ofBody;
    }

    /** {@return true if a check reads the body's length} */
    boolean ofSize() {
        return ofSize;
    }

    /**
     * Judges a response.
     *
     * @param response the complete response
     * @param session fills in the texts of a step's checks; otherwise {@code null}
     * @param serviceNanos the time from sending the request to the response's last byte
     * @return the failure of a status or of a check that isn't soft; otherwise a success with what the others found
     */
    Outcome outcome(Received response, @Nullable Session session, long serviceNanos) {
        int status = response.status();
        PreparedCheck named = allowed ? null : broken(restricting, response, session, serviceNanos);
        boolean refused = allowed
                ? isRefusal(status) && broken(ofStatus, response, session, serviceNanos) != null
                : isRefusal(status) || named == null && (status < LEAST || status > MOST);
        if (refused) {
            return new Outcome.HttpFailure(status, KeptBody.refused(response.body(), session));
        }
        if (named != null) {
            return failure(named, response, session, serviceNanos);
        }
        if (hard.length == 0 && soft.length == 0) {
            return Outcome.SUCCESS;
        }
        return checked(response, session, serviceNanos);
    }

    private Outcome checked(Received response, @Nullable Session session, long serviceNanos) {
        Set<String> unchecked = Set.of();
        for (PreparedCheck rule : hard) {
            TestResult found = rule.test().find(response, session, serviceNanos);
            if (!rule.holds(found)) {
                return failure(rule, response, session, serviceNanos);
            }
            unchecked =
                    found == TestResult.ABSENT ? with(unchecked, rule.cause().key()) : unchecked;
        }
        Map<String, String> warnings = Map.of();
        for (PreparedCheck rule : soft) {
            TestResult found = rule.test().find(response, session, serviceNanos);
            if (!rule.holds(found)) {
                warnings = warnings.isEmpty() ? new LinkedHashMap<>() : warnings;
                warnings.put(rule.cause().key(), rule.test().shown(response, session, serviceNanos));
            } else if (found == TestResult.ABSENT) {
                unchecked = with(unchecked, rule.cause().key());
            }
        }
        return warnings.isEmpty() && unchecked.isEmpty()
                ? Outcome.SUCCESS
                : new Outcome.Success(Map.of(), warnings, unchecked);
    }

    private static Set<String> with(Set<String> some, String one) {
        Set<String> more = some.isEmpty() ? new LinkedHashSet<>() : some;
        more.add(one);
        return more;
    }

    private static Outcome failure(
            PreparedCheck rule, Received response, @Nullable Session session, long serviceNanos) {
        return new Outcome.CheckFailure(rule.cause(), rule.test().shown(response, session, serviceNanos));
    }

    /** Whether a status says that the service failed, rather than that the request was wrong. */
    private static boolean isRefusal(int status) {
        return status >= 500 || status == 429;
    }

    /** The first of these checks that doesn't hold; {@code null} if all hold. */
    private static @Nullable PreparedCheck broken(
            PreparedCheck[] rules, Received response, @Nullable Session session, long serviceNanos) {
        for (PreparedCheck rule : rules) {
            if (!rule.holds(rule.test().find(response, session, serviceNanos))) {
                return rule;
            }
        }
        return null;
    }
}
