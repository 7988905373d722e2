package io.phaseload.cli;

import io.phaseload.http.Connector;
import io.phaseload.http.Deadlines;
import io.phaseload.http.PreparedRequest;
import io.phaseload.http.UserConnection;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.result.Secrets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The requests before and after a trial. Values that are taken from answers are known to those that
 * come later, also to those after the trial. For one trial, in one thread.
 */
final class Asides {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final Pattern REQUEST =
            Pattern.compile("\\s*([A-Za-z]+)\\s+(\\S+)(?:\\s+(.*\\S))?\\s*", Pattern.DOTALL);

    private static final Pattern TAKE = Pattern.compile("([A-Za-z][A-Za-z0-9_]{0,39})=(/.*|)");

    private final List<SweepOptions.Aside> all;
    private final Map<String, String> values = new HashMap<>();

    Asides(List<SweepOptions.Aside> all, Placeholders placeholders) {
        this.all = all;
        values.putAll(placeholders.values());
    }

    /** Finds out what is wrong with them before anything is sent. */
    static void check(SweepOptions options, Placeholders placeholders, Target target)
            throws UsageException {
        if (options.strayTake != null) {
            throw new UsageException(
                    "--take " + options.strayTake + ": expected --before or --after before it");
        }
        Map<String, String> values = new LinkedHashMap<>(placeholders.values());
        for (SweepOptions.Aside aside : options.asides) {
            Operation operation = operation(aside, new Placeholders(values));
            RunPlan.checkQuery(target, operation.path(), aside.option() + " " + operation.name());
            for (String take : aside.takes()) {
                Matcher matcher = TAKE.matcher(take);
                if (!matcher.matches()) {
                    throw new UsageException("--take " + take + ": expected name=/pointer");
                }
                // Something that any path may have.
                values.put(matcher.group(1), "0");
            }
        }
    }

    private static Operation operation(SweepOptions.Aside aside, Placeholders placeholders)
            throws UsageException {
        Matcher matcher = REQUEST.matcher(placeholders.fill(aside.text()));
        if (!matcher.matches()) {
            throw new UsageException(
                    aside.option() + " " + aside.text() + ": expected 'METHOD PATH [BODY]'");
        }
        Operation operation =
                Checked.value(
                        aside.option(),
                        aside.text(),
                        shown -> Operation.of(matcher.group(1), matcher.group(2)),
                        "'METHOD PATH [BODY]'");
        String body = matcher.group(3);
        return body == null ? operation : operation.withBody(Body.ofText(body));
    }

    /** Sends those of an option; returns why it couldn't be done, if so. */
    Optional<String> send(String option, Plan plan) {
        List<SweepOptions.Aside> own = new ArrayList<>(all);
        own.removeIf(aside -> !aside.option().equals(option));
        if (own.isEmpty()) {
            return Optional.empty();
        }
        Target target = plan.target();
        long shortest =
                Math.min(target.connectTimeout().toNanos(), target.responseTimeout().toNanos());
        try (Deadlines deadlines = new Deadlines(shortest);
                UserConnection connection = new UserConnection(new Connector(target), deadlines)) {
            for (SweepOptions.Aside aside : own) {
                Optional<String> failure = send(aside, plan, connection);
                if (failure.isPresent()) {
                    return failure;
                }
            }
            return Optional.empty();
        }
    }

    private Optional<String> send(SweepOptions.Aside aside, Plan plan, UserConnection connection) {
        // Without its body, which may hold a secret.
        String[] words = aside.text().strip().split("\\s+", 3);
        String name =
                aside.option().substring(2) + " " + words[0] + " " + Secrets.redactQuery(words[1]);
        try {
            Operation operation = operation(aside, new Placeholders(values));
            PreparedRequest request =
                    PreparedRequest.all(
                                    plan.withThresholds(List.of())
                                            .withOperations(List.of(operation)))
                            .get(0);
            Exchange exchange = connection.exchangeKeepingBody(request);
            if (exchange.outcome() != Outcome.SUCCESS) {
                String detail = exchange.outcome().detail();
                return Optional.of(
                        name
                                + ": "
                                + exchange.outcome().cause()
                                + (detail.isEmpty() ? "" : ", " + detail));
            }
            return take(aside, connection.lastBody()).map(reason -> name + ": " + reason);
        } catch (UsageException e) {
            // A value that was taken made no request.
            return Optional.of(e.getMessage());
        }
    }

    private Optional<String> take(SweepOptions.Aside aside, String body) {
        for (String take : aside.takes()) {
            int equals = take.indexOf('=');
            JsonNode value;
            try {
                value = JSON.readTree(body).at(JsonPointer.compile(take.substring(equals + 1)));
            } catch (JacksonException notJson) {
                return Optional.of("its answer isn't JSON, take " + take);
            }
            if (!value.isValueNode() || value.isNull()) {
                return Optional.of("no value in its answer, take " + take);
            }
            values.put(take.substring(0, equals), value.asString());
        }
        return Optional.empty();
    }
}
