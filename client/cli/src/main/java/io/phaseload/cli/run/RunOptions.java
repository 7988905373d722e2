package io.phaseload.cli.run;

import io.phaseload.cli.cluster.ClusterOptions;
import io.phaseload.cli.command.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.settings.SettingGroup;
import java.util.List;
import java.util.Set;
import org.kohsuke.args4j.Option;

/** The options of {@code run}. */
public final class RunOptions implements MoreOptions {

    /** The column where the help describes options. */
    private static final int COLUMN = 25;

    public static final String HELP =
            """
            Runs warmup, loading, peak and cooldown against a target and reports what it measured.

            Usage: phaseload [run] [options]

            Target (default: --target tomcat)
              --plan FILE            what to run, as YAML or JSON, or the result.json of a run to repeat;
                                     - for standard input; other options override the file
            """
                    + SettingGroup.TARGET.help(COLUMN)
                    + """

            The way to the target, one of these
            """
                    + SettingGroup.ROUTE.help(COLUMN)
                    + """

            The server's own figures
            """
                    + SettingGroup.SERVER.help(COLUMN)
                    + """

            Load
            """
                    + SettingGroup.LOAD.help(COLUMN)
                    + """

            HTTP client of the users
            """
                    + SettingGroup.CLIENT.help(COLUMN)
                    + """

            What users remember and answer, with every client
            """
                    + SettingGroup.SESSION.help(COLUMN)
                    + """

            Closed model (default): a user sends its next request when the previous one has ended
            """
                    + SettingGroup.CLOSED.help(COLUMN)
                    + """

            Open model: requests are sent when they are due, by any user that is free; operations take turns
            """
                    + SettingGroup.OPEN.help(COLUMN)
                    + """

            Messages over WebSocket, with ws:// and wss://: a user is a pair, and {pair} in the path its number
            """
                    + SettingGroup.MESSAGES.help(COLUMN)
                    + """

            Requests, in order (default: GET / for --url; GET /, then POST / for --target)
              --get PATH, --post PATH, --put PATH, --patch PATH, --delete PATH, --head PATH,
              --options PATH         appended to the URL's path; / is the URL itself
              --body TEXT|@FILE      the body of the --post, --put, --patch, --delete or --options before it;
                                     if it comes first, of every --post, --put and --patch, or if there is
                                     none, of a POST /; @- is standard input; JSON is sent as
                                     application/json
              --form NAME=VALUE|NAME=@FILE
                                     a part of a multipart/form-data body, which goes where --body would;
                                     ;type=… and ;filename=… may follow; may be repeated
              --requests FILE        in place of these: an address or a path a line, or 'METHOD address' with
                                     headers and @FILE on the lines behind it, as vegeta has targets; a number
                                     in front is its weight; - for standard input
              --expect CHECKS        checks the responses to the request before it, or to all requests:
                                     'status=200 body~"alive"', status=2xx, 'json:/items/0/id>0', time<300ms,
                                     size<10k, type=json, header:NAME~text, cookie:NAME, jsonpath:…, css:…,
                                     xpath:…, count:…, body~/regex/, bytes~ffd8, sha256=…, schema:FILE; not:
                                     before a check reverses it, and warn: counts a warning instead of a failure
              --metric NAME=POINTER[:UNIT]
                                     also measures a number in the JSON response to the request before it,
                                     or to all requests, such as elapsed=/timeElapsed:ms
              --event-stream STREAM  reads the response to the request before it, or to all requests, event by
                                     event: events, openai, openai-responses or anthropic, then parts:
                                     count=20, until='[DONE]', for=30s, event=TYPE,
                                     content=/pointer,type:/pointer, sentAt=/pointer:ms, reconnect
            """
                    + SettingGroup.REQUESTS.help(COLUMN)
                    + """

            Thresholds: without a phase, one applies to all phases but warmup and cooldown; if one fails, the exit
            code is 99
            """
                    + SettingGroup.THRESHOLDS.help(COLUMN)
                    + """

            A plan in part, without the thresholds of what is left out
              --once                 one iteration of one user, in one phase; of each scenario, if there are any
              --scenario NAME        only this scenario of the plan

            Load from several machines
            """
                    + ClusterOptions.HELP
                    + """

            Results
            """
                    + SettingGroup.RESULTS.help(COLUMN)
                    + """

              -o, --out DIR          the folder to write, new or empty (results/<time>-<name>)
              --json                 the result as JSON on standard output, all else on standard error
              --junit FILE           verdict and thresholds as JUnit XML, for a CI system
              --doctor               checks first whether machine and target suit the run, in about five
                                     seconds; a check that says FAIL ends it with exit code 2
              --quiet                no progress
              -h                     the most common options
              --help                 all options
              -V, --version

            T is a time such as 250ms, 30s or 5m; N a count such as 100, 10k or 1.5m; R a rate such as
            500/s. Every option can be given as a system property, too: -Dthreads=100 for --threads 100.
            Exit codes: 0 passed, 1 internal error, 2 usage, 3 nothing succeeded, 4 measurement
            invalid, 99 a threshold failed, 130 interrupted.
            """;

    private static final Set<String> COMMON = Set.of(
            "--url",
            "--target",
            "--plan",
            "--timeout",
            "--threads",
            "--iterations",
            "--duration",
            "--phases",
            "--engine",
            "--rate",
            "--get",
            "--body",
            "--header",
            "--threshold",
            "--out",
            "--quiet",
            "--help");

    /** The part of the help that most runs need. */
    public static String briefHelp() {
        return Help.brief(HELP, COMMON, "phaseload run --help lists all options.");
    }

    @Option(name = "--doctor")
    boolean doctor;

    @Option(name = "--once")
    boolean once;

    @Option(name = "--scenario", usage = "a scenario's name")
    String scenario;

    final PlanOptions plan = new PlanOptions(Set.of());

    final CommonOptions common = new CommonOptions();

    final ClusterOptions cluster = new ClusterOptions();

    @Override
    public List<?> more() {
        return List.of(common, plan, cluster);
    }
}
