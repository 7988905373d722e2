package io.phaseload.http.request;

import io.phaseload.http.response.KeptBody;
import io.phaseload.journey.Session;
import io.phaseload.journey.Slots;
import io.phaseload.journey.Text;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.journey.Template;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an operation's responses are checked for. Immutable, and shared by all users.
 *
 * <p>Without a check of the status, 200 to 399 is a success.
 */
final class ResponseChecks {

    private final Check[] checks;
    // Of each check whose text a session fills in; null for those that are the same each time.
    private final @Nullable Text[] texts;
    private final boolean ofStatus;
    private final boolean ofBody;

    /** Checks that are the same each time. */
    ResponseChecks(List<Check> checks) {
        this(checks, new Text[checks.size()]);
    }

    private ResponseChecks(List<Check> checks, @Nullable Text[] texts) {
        // Arrays, since iterating a list costs an object per response.
        this.checks = checks.toArray(Check[]::new);
        this.texts = texts;
        ofStatus = checks.stream().anyMatch(check -> bare(check) instanceof Check.StatusIs);
        ofBody = checks.stream().anyMatch(check -> check.bodyText().isPresent());
    }

    /** Checks of a step, whose texts are templates. */
    static ResponseChecks of(List<Check> templates, Slots slots) {
        List<Check> checks = new ArrayList<>();
        Text[] texts = new Text[templates.size()];
        for (Check check : templates) {
            Optional<Template> text = check.bodyText().map(Template::parse);
            if (text.filter(Template::isLiteral).isPresent()) {
                checks.add(check.withBodyText(text.get().withValues("")));
            } else {
                text.ifPresent(own -> texts[checks.size()] = Text.body(own.text(), slots));
                checks.add(check);
            }
        }
        return new ResponseChecks(checks, texts);
    }

    private static Check bare(Check check) {
        return check instanceof Check.Named named ? named.check() : check;
    }

    /** {@return whether one of them looks at the body} */
    boolean ofBody() {
        return ofBody;
    }

    /**
     * Judges a response.
     *
     * @param status the response's
     * @param body its first MiB; may be {@code null} if none looks at it
     * @param session fills in the texts of a step's checks; else {@code null}
     * @return what it fails with; {@code null} if all hold
     */
    @Nullable Outcome failure(
            int status, @Nullable ByteArrayOutputStream body, @Nullable Session session) {
        if (!ofStatus && (status < 200 || status > 399)) {
            return new Outcome.HttpFailure(status, KeptBody.quoted(body, session));
        }
        for (int i = 0; i < checks.length; i++) {
            Check check = bare(checks[i]);
            if (check instanceof Check.StatusIs wanted) {
                if (!wanted.allows(status)) {
                    return new Outcome.CheckFailure(checks[i].cause(), "status " + status);
                }
            } else if (!holds(check, wanted(i, check, session), body)) {
                return new Outcome.CheckFailure(checks[i].cause(), KeptBody.quoted(body, session));
            }
        }
        return null;
    }

    private String wanted(int index, Check check, @Nullable Session session) {
        Text text = texts[index];
        return text == null || session == null
                ? check.bodyText().orElseThrow()
                : text.value(session);
    }

    private static boolean holds(Check check, String wanted, ByteArrayOutputStream body) {
        String text = body.toString(StandardCharsets.UTF_8);
        return check instanceof Check.BodyIs ? text.equals(wanted) : text.contains(wanted);
    }
}
