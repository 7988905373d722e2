package io.phaseload.cli.sweep;

import io.phaseload.cli.command.Checked;
import io.phaseload.input.Secrets;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import io.phaseload.sweep.HookRequest;
import io.phaseload.sweep.RequestHooks;
import io.phaseload.sweep.trials.Trial;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes requests around each trial from {@code --before}, {@code --after} and {@code --take}.
 *
 * @param options of the sweep
 * @param used gets the names whose values were filled in
 */
record SweepHooks(SweepOptions options, Set<String> used) {

    private static final Pattern REQUEST =
            Pattern.compile("\\s*([A-Za-z]+)\\s+(\\S+)(?:\\s+(.*\\S))?\\s*", Pattern.DOTALL);

    private static final Pattern TAKE = Pattern.compile("([A-Za-z][A-Za-z0-9_]{0,39})=(/.*|)");

    /** Checks them before anything is sent. */
    void check(Trial trial, Target target) {
        if (options.hooks.strayTake != null) {
            throw new UsageException("--take " + options.hooks.strayTake + " needs --before or --after in front of it");
        }
        Map<String, String> values = trial.values();
        for (SweepOptions.Hook hook : options.hooks.all) {
            Operation operation = operation(hook, values);
            if (target.dropsQuery(operation.path())) {
                throw new UsageException("--url %s: its query would not be sent with %s, which has its own path"
                        .formatted(target.address(), Secrets.redactQuery(hook.option() + " " + operation.name())));
            }
            // A value that is valid in any path.
            takes(hook).keySet().forEach(name -> values.put(name, "0"));
        }
    }

    /** The hooks that send them. */
    RequestHooks requests() {
        return new RequestHooks(requests("--before"), requests("--after"));
    }

    private List<HookRequest> requests(String option) {
        return options.hooks.all.stream()
                .filter(hook -> hook.option().equals(option))
                .map(hook -> new HookRequest(name(hook), values -> operation(hook, values), takes(hook)))
                .toList();
    }

    /** Without its body, which may hold a secret. */
    private static String name(SweepOptions.Hook hook) {
        String[] words = hook.text().strip().split("\\s+", 3);
        return hook.option().substring(2) + " " + words[0] + " " + Secrets.redactQuery(words[1]);
    }

    private Operation operation(SweepOptions.Hook hook, Map<String, String> values) {
        Matcher matcher = REQUEST.matcher(new Placeholders(values, used).fill(hook.text()));
        UsageException.throwIf(!matcher.matches(), "%s %s: expected 'METHOD PATH [BODY]'", hook.option(), hook.text());
        Operation operation = Checked.value(
                hook.option(),
                hook.text(),
                shown -> Operation.of(matcher.group(1), matcher.group(2)),
                "'METHOD PATH [BODY]'");
        String body = matcher.group(3);
        return body == null ? operation : operation.withBody(Body.ofText(body));
    }

    private static Map<String, String> takes(SweepOptions.Hook hook) {
        Map<String, String> takes = new LinkedHashMap<>();
        for (String take : hook.takes()) {
            Matcher matcher = TAKE.matcher(take);
            UsageException.throwIf(!matcher.matches(), "--take %s: expected name=/pointer", take);
            takes.put(matcher.group(1), matcher.group(2));
        }
        return takes;
    }
}
