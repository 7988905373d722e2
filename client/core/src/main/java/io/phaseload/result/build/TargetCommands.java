package io.phaseload.result.build;

import io.phaseload.input.Secrets;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.IntStream;

/**
 * The commands of an advice, which have HOST, PORT and URL where a run has its own.
 *
 * @param request curl's words for one request
 */
record TargetCommands(String host, int port, String request) {

    /**
     * The commands for a plan's target.
     *
     * @param text names in quotes the operations that it is about; otherwise the first one is meant
     */
    static TargetCommands of(Plan plan, String text) {
        Target target = plan.target();
        List<Operation> operations = plan.scenario().operations();
        List<String> names = Operation.namesInResult(operations);
        int named = IntStream.range(0, names.size())
                .filter(i -> text.contains("'" + names.get(i) + "'"))
                .findFirst()
                .orElse(0);
        String url = target.uri().getScheme() + "://" + target.uri().getRawAuthority();
        if (operations.isEmpty() || operations.get(named).path().contains("{")) {
            return new TargetCommands(target.host(), target.port(), quoted(url + "/"));
        }
        Operation operation = operations.get(named);
        String trust = target.insecure() ? "-k " : "";
        String method = operation.method().equals("GET") ? "" : "-X " + operation.method() + " ";
        return new TargetCommands(
                target.host(),
                target.port(),
                trust + method + quoted(Secrets.redactQuery(url + target.requestTarget(operation.path()))));
    }

    /** A shell takes some characters of an address for its own. */
    private static String quoted(String url) {
        return url.matches("[\\w:/.%-]+") ? url : "'" + url.replace("'", "%27") + "'";
    }

    String in(String advice) {
        return advice.replace("HOST", host)
                .replace("PORT", Integer.toString(port))
                .replaceAll("(?<=curl -[ivL]{1,2} )URL", Matcher.quoteReplacement(request));
    }
}
