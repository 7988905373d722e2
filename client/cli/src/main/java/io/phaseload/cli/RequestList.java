package io.phaseload.cli;

import io.phaseload.options.UsageException;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Scenario;
import io.phaseload.plan.check.Check;
import io.phaseload.plan.check.Metric;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * From {@code --get}, {@code --post} … with their bodies and checks to the scenario's operations.
 */
record RequestList(RunOptions options, Inputs inputs) {

    private static final Pattern CHECK =
            Pattern.compile(
                    "(?:status=((?:[1-5]xx|[0-9]{3})(?:,(?:[1-5]xx|[0-9]{3})){0,99})|body~(?:'([^']+)'|\"([^\"]+)\"|([^'\"\\s]+)))(?:\\s+|$)");

    private static final String EXPECTED =
            "checks such as status=200, status=2xx or body~'alive', with blanks between";

    Operation[] operations() throws UsageException {
        if (options.operations != null && options.requests.isEmpty()) {
            return ofFile();
        }
        boolean anyContent =
                options.requests.isEmpty()
                        || options.requests.stream().anyMatch(RequestOption::hasContent);
        if (options.commonBody != null && !anyContent) {
            throw new UsageException(
                    "--body "
                            + options.commonBody
                            + ": expected --post, --put or --patch beside it, or --delete or"
                            + " --options before it");
        }
        Body defaultBody =
                options.commonBody == null ? Scenario.DEFAULT_BODY : body(options.commonBody);
        List<Operation> operations = new ArrayList<>();
        OperationNames names = new OperationNames();
        for (RequestOption request : options.requests) {
            operations.add(names.numbered(operation(request, defaultBody)));
        }
        if (operations.isEmpty()) {
            Check[] checks = checks(options.commonChecks);
            Metric[] metrics = metrics(options.commonMetrics);
            for (Operation operation : defaults()) {
                Operation own =
                        operation.body().isPresent() ? operation.withBody(defaultBody) : operation;
                operations.add(own.withChecks(checks).withMetrics(metrics));
            }
        }
        return operations.toArray(Operation[]::new);
    }

    /** A server that isn't ours is sent a body only if one is given, as curl does. */
    private List<Operation> defaults() {
        List<Operation> both = Scenario.getThenPost().operations();
        if (options.url == null) {
            return both;
        }
        return options.commonBody == null ? Scenario.getOnly().operations() : both.subList(1, 2);
    }

    /** Those of a plan's file, with the body and the checks of the command line. */
    private Operation[] ofFile() throws UsageException {
        List<Operation> operations = new ArrayList<>();
        for (Operation operation : options.operations) {
            Operation own = operation;
            if (options.commonBody != null && own.body().isPresent()) {
                own = own.withBody(body(options.commonBody));
            }
            operations.add(
                    options.commonChecks == null
                            ? own
                            : own.withChecks(checks(options.commonChecks)));
        }
        if (options.commonBody != null
                && operations.stream().allMatch(operation -> operation.body().isEmpty())) {
            throw new UsageException(
                    "--body " + options.commonBody + ": expected a request with one beside it");
        }
        return operations.toArray(Operation[]::new);
    }

    /** A request that usually has a body and says nothing of it has the default one. */
    static Operation withDefaultBody(Operation operation) {
        return RequestOption.usuallyHasContent(operation.method())
                ? operation.withBody(Scenario.DEFAULT_BODY)
                : operation;
    }

    private Operation operation(RequestOption request, Body defaultBody) throws UsageException {
        Operation operation =
                Checked.value(
                        request.option(),
                        request.path(),
                        path -> Operation.of(request.method(), path),
                        "a path that begins with / and is percent-encoded");
        if (request.body() != null) {
            operation = operation.withBody(body(request.body()));
        } else if (request.hasContent()) {
            operation = operation.withBody(defaultBody);
        }
        String checks = request.checks() == null ? options.commonChecks : request.checks();
        List<String> metrics = new ArrayList<>(request.metrics());
        if (metrics.isEmpty()) {
            metrics.addAll(options.commonMetrics);
        }
        return operation.withChecks(checks(checks)).withMetrics(metrics(metrics));
    }

    private static Check[] checks(String text) throws UsageException {
        return text == null
                ? new Check[0]
                : Checked.value("--expect", text, RequestList::parseChecks, EXPECTED);
    }

    private static Metric[] metrics(List<String> texts) throws UsageException {
        List<Metric> metrics = new ArrayList<>();
        for (String text : texts) {
            Metric metric = Checked.value("--metric", text, Metric::parse, "name=/pointer:unit");
            if (metrics.stream().anyMatch(other -> other.name().equals(metric.name()))) {
                throw new UsageException(
                        "--metric " + text + ": expected a name that is not taken");
            }
            metrics.add(metric);
        }
        return metrics.toArray(Metric[]::new);
    }

    static Check[] parseChecks(String text) {
        List<Check> checks = new ArrayList<>();
        Matcher matcher = CHECK.matcher(text);
        int position = text.length() - text.stripLeading().length();
        do {
            if (!matcher.region(position, text.length()).lookingAt()) {
                throw new IllegalArgumentException(
                        "expected %s; character %d isn't one".formatted(EXPECTED, position + 1));
            }
            checks.add(check(matcher));
            position = matcher.end();
        } while (position < text.length());
        return checks.toArray(Check[]::new);
    }

    private static Check check(Matcher matcher) {
        if (matcher.group(1) != null) {
            return Check.StatusIs.parse(matcher.group(1));
        }
        for (int group = 2; group <= 4; group++) {
            if (matcher.group(group) != null) {
                return new Check.BodyContains(matcher.group(group));
            }
        }
        throw new IllegalStateException(matcher.group());
    }

    private Body body(String text) throws UsageException {
        if (!text.startsWith("@")) {
            return Body.ofText(text);
        }
        String name = text.substring(1);
        if (name.equals(Inputs.STANDARD) && Inputs.STANDARD.equals(options.plan)) {
            throw new UsageException("--body @-: expected no --plan - beside it");
        }
        try {
            return Body.ofBytes(inputs.read(name));
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("--body " + text + ": expected a file that can be read");
        }
    }
}
