package io.phaseload.cli.stored;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.Folders;
import io.phaseload.cli.terminal.Terminal;
import io.phaseload.http.Connector;
import io.phaseload.http.Deadlines;
import io.phaseload.http.UserConnection;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.input.Secrets;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.KeptRequest;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Sample;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.report.cells.Column;
import io.phaseload.report.cells.Table;
import io.phaseload.report.notation.TextTable;
import io.phaseload.report.tables.NumberedRequest;
import io.phaseload.result.Result;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.Option;

/** {@code phaseload repro}: a kept request as a command of curl, and sent again. */
public final class ReproCommand implements CommandBean {

    @Argument(metaVar = "DIR [N]", usage = "a results folder, and the number that its report has (lists all)")
    private List<String> words = new ArrayList<>();

    @Option(name = "--print")
    private boolean print;

    @Option(name = "--to")
    private String to;

    @Override
    public int execute(Console console) {
        UsageException.throwIf(
                words.isEmpty() || words.size() > 2,
                "repro: expected a results folder and the number of a kept request");
        PrintStream out = console.out();
        Result result = Folders.read("repro", words.get(0)).result();
        List<NumberedRequest> kept = NumberedRequest.all(result);
        if (words.size() == 1) {
            out.print(TextTable.write(list(kept), Terminal.columns()));
            return ExitCode.PASSED;
        }
        NumberedRequest chosen = kept.get(number(words.get(1), kept.size()) - 1);
        Optional<Target> to = Optional.ofNullable(this.to)
                .map(url -> Checked.value("--to", url, Target::parse, "http://host[:port] or https://…"));
        KeptCommand command = KeptCommand.of(result.plan(), chosen, to);
        out.print(command.curl());
        return print ? ExitCode.PASSED : send(result.plan(), command, chosen.request(), out);
    }

    private static int number(String text, int most) {
        UsageException.throwIf(
                !text.matches("[1-9]\\d{0,8}") || Integer.parseInt(text) > most,
                most == 0
                        ? "repro: expected results with kept requests"
                        : "repro %s: expected a number from 1 to %d".formatted(text, most));
        return Integer.parseInt(text);
    }

    private static Table list(List<NumberedRequest> kept) {
        Table.Builder table = new Table.Builder(
                "kept",
                Column.count("number"),
                Column.text("phase"),
                Column.of("response_ms", "response", "ms"),
                Column.text("request"),
                Column.text("cause"));
        kept.forEach(of -> table.row(
                of.number(),
                of.phase(),
                of.request().times().responseMs(),
                of.request().request(),
                of.request().cause().orElse("")));
        return table.build();
    }

    private static int send(Plan plan, KeptCommand command, KeptRequest before, PrintStream out) {
        UsageException.throwIf(
                plan.labels().containsKey(Plan.SIGNED), "repro: expected a request that wasn't signed, or --print");
        Set<String> missing = command.variables();
        missing.removeIf(name -> System.getenv(name) != null);
        UsageException.throwIf(
                !missing.isEmpty(),
                "repro: expected these variables to be set, or --print: %s",
                String.join(", ", missing));
        PreparedRequest request = command.request(System::getenv);
        Target target = command.target();
        long shortest = Math.min(
                target.connectTimeout().toNanos(), target.responseTimeout().toNanos());
        try (Deadlines deadlines = new Deadlines(shortest);
                UserConnection connection = new UserConnection(new Connector(target), deadlines)) {
            // A connection that waits for no turn sends always.
            Exchange exchange = (Exchange) connection.exchangeKeepingBody(request);
            KeptRequest now =
                    request.kept(new Sample(0, exchange.readyNanos(), exchange), Instant.now(), before.user());
            out.print("\n" + TextTable.write(comparison(before, now), Terminal.columns()));
            now.message().ifPresent(text -> out.print("\n" + text + "\n"));
            headers(connection.lastHead(), out);
            out.flush();
            return exchange.outcome() instanceof Outcome.Success ? ExitCode.PASSED : ExitCode.NOTHING_SUCCEEDED;
        }
    }

    private static void headers(String head, PrintStream out) {
        if (!head.isEmpty()) {
            out.println();
        }
        head.lines().forEach(line -> {
            int colon = Math.max(0, line.indexOf(':'));
            String name = line.substring(0, colon);
            String value = Secrets.redactHeader(name, line.substring(colon + 1).strip());
            out.println(name + ": " + value.replaceAll("\\p{Cc}", " "));
        });
    }

    /** The service time, since the run's slip was the client's. */
    private static Table comparison(KeptRequest before, KeptRequest now) {
        Table.Builder table = new Table.Builder(
                "comparison", Column.text("of_this_request"), Column.text("in_the_run"), Column.text("now"));
        table.row("outcome", before.cause().orElse("success"), now.cause().orElse("success"));
        table.row("status", status(before), status(now));
        row(table, "service time", Optional.of(service(before)), Optional.of(service(now)));
        row(table, "first byte", before.times().timeToFirstByteMs(), now.times().timeToFirstByteMs());
        row(table, "transfer", before.times().transferMs(), now.times().transferMs());
        row(table, "connect", before.times().connectionSetUpMs(), now.times().connectionSetUpMs());
        return table.build();
    }

    private static double service(KeptRequest of) {
        return of.times().responseMs()
                - of.times().slipMs()
                - of.times().leaseMs().orElse(0.0);
    }

    private static String status(KeptRequest of) {
        return of.status() == 0 ? "–" : Integer.toString(of.status());
    }

    private static void row(Table.Builder table, String name, Optional<Double> before, Optional<Double> now) {
        Column millis = Column.of("ms", "", "");
        table.row(
                name,
                before.map(ms -> millis.writeGrouped(ms) + " ms").orElse("–"),
                now.map(ms -> millis.writeGrouped(ms) + " ms").orElse("–"));
    }
}
