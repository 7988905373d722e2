package io.phaseload.cli.stored;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.input.Secrets;
import io.phaseload.measure.KeptRequest;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.TlsFiles;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.plan.journey.Template;
import io.phaseload.planfile.PlanFile;
import io.phaseload.report.tables.NumberedRequest;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A kept request as a command of curl, and as it is sent again.
 *
 * @param target its address has no path
 * @param path path and query
 * @param headers by name
 * @param text its body, if that is text
 */
record KeptCommand(
        Plan plan,
        Operation operation,
        Target target,
        ShellText path,
        Map<String, ShellText> headers,
        Optional<ShellText> text) {

    /** Headers that follow from the others. */
    private static final Set<String> FRAMING = Set.of("Host", "Content-Length");

    /**
     * A kept request of a run.
     *
     * @param url the address to send it to; empty for the plan's
     */
    static KeptCommand of(Plan plan, NumberedRequest kept, Optional<Target> url) {
        int index = Operation.namesInResult(plan.scenario().operations()).indexOf(kept.operation());
        String request = kept.request().request();
        if (index < 0 || !request.matches("[A-Z]+ /(.*[^…])?")) {
            throw new UsageException(
                    "repro: expected a request of HTTP with its whole path, got " + kept.number() + ": " + request);
        }
        Operation operation = plan.scenario().operations().get(index);
        Target of = plan.target();
        URI address = url.map(Target::uri).orElse(of.uri());
        Target bare = Target.of(URI.create(address.getScheme() + "://" + address.getRawAuthority()));
        Target target = new Target(
                bare.uri(),
                List.of(),
                of.connectTimeout(),
                of.responseTimeout(),
                of.insecure(),
                bare.tls() ? of.tlsFiles() : TlsFiles.NONE,
                url.isPresent() ? bare.route() : of.route(),
                of.buffers(),
                false,
                bare.details());
        boolean journeys = plan.scenario().journeys().isPresent();
        Map<String, ShellText> headers = new LinkedHashMap<>();
        new PreparedRequest(of, operation).headers().forEach((name, value) -> {
            if (!FRAMING.contains(name)) {
                headers.put(name, text(journeys, value, name, kept.request()));
            }
        });
        return new KeptCommand(
                plan,
                operation,
                target,
                ShellText.of(request.substring(request.indexOf(' ') + 1), "SECRET", kept.request()),
                headers,
                operation.body().flatMap(Body::text).map(body -> text(journeys, body, "SECRET", kept.request())));
    }

    private static ShellText text(boolean journeys, String text, String name, KeptRequest of) {
        return journeys && !Secrets.isRedacted(text)
                ? new ShellText(Template.parse(text), of)
                : ShellText.of(text, name, of);
    }

    /** The names of the variables that it needs. */
    Set<String> variables() {
        Set<String> names = new TreeSet<>();
        path.addVariables(names);
        headers.values().forEach(value -> value.addVariables(names));
        text.ifPresent(body -> body.addVariables(names));
        return names;
    }

    /** The command, on several lines. */
    String curl() {
        List<String> words = new ArrayList<>();
        boolean binary = operation.body().isPresent() && text.isEmpty();
        words.add((binary
                        ? "printf %s '"
                                + Base64.getEncoder()
                                        .encodeToString(operation.body().get().bytes()) + "' | base64 -d | "
                        : "")
                + "curl -i --path-as-is -g");
        if (operation.method().equals("HEAD")) {
            words.add("--head");
        } else if (!operation.method().equals("GET") || operation.body().isPresent()) {
            words.add("-X " + operation.method());
        }
        headers.forEach((name, value) -> words.add("-H "
                + new ShellText(
                                Template.parse(Template.quoted(name + ": ")
                                        + value.template().text()),
                                value.of())
                        .quoted()));
        text.ifPresent(body -> words.add("--data-raw " + body.quoted()));
        if (binary) {
            words.add("--data-binary @-");
        }
        connection(words);
        words.add(new ShellText(
                        Template.parse(Template.quoted(target.uri().toString())
                                + path.template().text()),
                        path.of())
                .quoted());
        return String.join(" \\\n  ", words) + "\n";
    }

    private void connection(List<String> words) {
        if (plan.engine().protocol() instanceof Protocol.Http2) {
            words.add(target.tls() ? "--http2" : "--http2-prior-knowledge");
        }
        if (target.insecure()) {
            words.add("-k");
        }
        option(words, "--cacert", target.tlsFiles().authorities().map(Path::toString));
        option(words, "--cert", target.tlsFiles().certificate().map(Path::toString));
        option(words, "--key", target.tlsFiles().key().map(Path::toString));
        JsonNode written = JsonMapper.shared().readTree(PlanFile.toResultJson(plan));
        if (target.route().equals(plan.target().route())) {
            option(words, "--resolve", written.at("/target/resolve").asStringOpt());
            option(words, "--connect-to", written.at("/target/connectTo").asStringOpt());
            option(words, "--unix-socket", written.at("/target/unixSocket").asStringOpt());
            option(words, "--proxy", written.at("/client/proxy").asStringOpt());
        }
        words.add("--connect-timeout " + seconds(target.connectTimeout()) + " --max-time "
                + seconds(target.connectTimeout().plus(target.responseTimeout())));
    }

    private static void option(List<String> words, String option, Optional<String> value) {
        value.ifPresent(text -> words.add(option + " '" + text.replace("'", "'\\''") + "'"));
    }

    private static String seconds(Duration time) {
        return time.toNanos() % 1_000_000_000 == 0
                ? Long.toString(time.toSeconds())
                : Double.toString(time.toNanos() / 1e9);
    }

    /** The request with values of its variables. */
    PreparedRequest request(UnaryOperator<String> values) {
        List<Header> sent = new ArrayList<>();
        headers.forEach((name, value) -> sent.add(new Header(name, value.with(values))));
        Operation filled = new Operation(
                operation.name(),
                operation.method(),
                path.with(values),
                sent,
                text.map(body -> Body.ofText(body.with(values))).or(operation::body),
                operation.checks().stream()
                        .filter(check ->
                                check.template().filter(any -> isOfJourney()).isEmpty())
                        .toList(),
                List.of(),
                Optional.empty());
        return new PreparedRequest(target, filled);
    }

    private boolean isOfJourney() {
        return plan.scenario().journeys().isPresent();
    }
}
