package io.phaseload.cli.run;

import io.phaseload.cli.command.Help;
import io.phaseload.cli.command.Inputs;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.UsageException;
import io.phaseload.settings.Given;
import io.phaseload.settings.Kind;
import io.phaseload.settings.Origin;
import io.phaseload.settings.Setting;
import io.phaseload.settings.SettingGroup;
import io.phaseload.settings.Settings;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.kohsuke.args4j.CmdLineParser;
import org.kohsuke.args4j.Option;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The options of {@code run} as they were given; {@link RunPlan} makes a plan of them. */
public final class RunOptions implements MoreOptions {

    /** The options that are requests, each named after its method. */
    public static final Set<String> REQUESTS =
            Set.of("--get", "--post", "--put", "--patch", "--delete", "--head", "--options");

    /** Where the help describes options. */
    private static final int COLUMN = 25;

    public static final String HELP =
            """
            Runs warmup, loading, peak and cooldown against a target and reports what it measured.

            Usage: phaseload [run] [options]

            Target (default: --target tomcat)
              --plan FILE            what to run, as YAML or JSON, or the result.json of a run to repeat,
                                     - for standard input; options beside it take the place of what it
                                     says
            """
                    + SettingGroup.TARGET.help(COLUMN)
                    + """

            Server's own figures, beside the client's
            """
                    + SettingGroup.SERVER.help(COLUMN)
                    + """

            Load
            """
                    + SettingGroup.LOAD.help(COLUMN)
                    + """

            Closed model (default): a user sends its next request when the last one has ended
            """
                    + SettingGroup.CLOSED.help(COLUMN)
                    + """

            Open model: requests are sent when they are due, by whoever is free; operations take turns
            """
                    + SettingGroup.OPEN.help(COLUMN)
                    + """

            Requests, in order (default: GET / of a --url; GET /, then POST / of a --target)
              --get PATH, --post PATH, --put PATH, --patch PATH, --delete PATH, --head PATH,
              --options PATH         appended to the URL's path; / is the URL itself
              --body TEXT|@FILE      of the --post, --put, --patch, --delete or --options before it; if it
                                     comes first, of all --post, --put and --patch, or alone, of a POST /;
                                     @- is standard input; JSON is sent as application/json
              --expect CHECKS        'status=200 body~"alive"', of the request before it, or of all;
                                     status=2xx, status=200,201
              --metric NAME=POINTER[:UNIT]
                                     a number in the answer's JSON that is measured, too, such as
                                     elapsed=/timeElapsed:ms; of the request before it, or of all
            """
                    + SettingGroup.REQUESTS.help(COLUMN)
                    + """

            Thresholds: without a phase, a threshold is about all phases but warmup and cooldown; exit code 99 if one
            fails
            """
                    + SettingGroup.THRESHOLDS.help(COLUMN)
                    + """

            Results
            """
                    + SettingGroup.RESULTS.help(COLUMN)
                    + """

              -o, --out DIR          the folder to write, new or empty (results/<time>-<name>)
              --json                 the result as JSON on standard output, all else on standard error
              --junit FILE           verdict and thresholds as JUnit's XML, for a CI system
              --quiet                neither progress nor a live line
              -h                     the options that most runs need
              --help                 all of them
              -V, --version

            T is a time such as 250ms, 30s or 5m; N a count such as 100, 10k or 1.5m; R a rate such as
            500/s. Every option can be given as a system property, too: -Dthreads=100 for --threads 100.
            Exit codes: 0 passed, 1 internal error, 2 usage, 3 nothing succeeded, 4 measurement
            invalid, 99 a threshold failed, 130 interrupted.
            """;

    private static final Set<String> COMMON =
            Set.of(
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

    /** What most runs need of the help. */
    public static String briefHelp() {
        return Help.brief(HELP, COMMON, "phaseload run --help lists all options.");
    }

    @Option(name = "--plan", usage = "a plan as YAML or JSON, or a result.json")
    String plan;

    @Option(name = "--out", aliases = "-o", usage = "a folder that is new or empty")
    String out;

    @Option(name = "--json")
    boolean json;

    @Option(name = "--junit", usage = "a file's name")
    String junit;

    @Option(name = "--quiet")
    boolean quiet;

    @Option(name = "--help", help = true)
    boolean help;

    @Option(name = "--brief-help", aliases = "-h", help = true, hidden = true)
    boolean briefHelp;

    @Option(name = "--version", aliases = "-V", help = true)
    boolean version;

    private final List<Word> words = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();

    /** A value as it was typed. */
    private record Word(Setting setting, String name, String text) {}

    /** A request, such as {@code --post /items}, with the options that follow it. */
    private record Request(Word path, List<Word> more) {

        String method() {
            return path.name().substring(2).toUpperCase(Locale.ROOT);
        }

        /** RFC 9110 §9.3 has no use for a body of GET or HEAD. */
        boolean takes(Setting setting) {
            return setting != Setting.BODY || !Set.of("GET", "HEAD").contains(method());
        }
    }

    @Override
    public void addTo(CmdLineParser parser) {
        for (Setting setting : Setting.values()) {
            if (!setting.option().isEmpty()) {
                new SettingOption(setting, (name, text) -> add(new Word(setting, name, text)))
                        .addTo(parser);
            }
        }
    }

    @Option(name = "--get", usage = "a path that begins with /")
    private void addGet(String path) {
        request("--get", path);
    }

    @Option(name = "--post", usage = "a path that begins with /")
    private void addPost(String path) {
        request("--post", path);
    }

    @Option(name = "--put", usage = "a path that begins with /")
    private void addPut(String path) {
        request("--put", path);
    }

    @Option(name = "--patch", usage = "a path that begins with /")
    private void addPatch(String path) {
        request("--patch", path);
    }

    @Option(name = "--delete", usage = "a path that begins with /")
    private void addDelete(String path) {
        request("--delete", path);
    }

    @Option(name = "--head", usage = "a path that begins with /")
    private void addHead(String path) {
        request("--head", path);
    }

    @Option(name = "--options", usage = "a path that begins with /")
    private void addOptions(String path) {
        request("--options", path);
    }

    private void request(String name, String path) {
        requests.add(new Request(new Word(Setting.OPERATIONS, name, path), new ArrayList<>()));
    }

    /** Body, checks and metrics are of the request before them, if there is one that takes them. */
    private void add(Word word) {
        boolean ofRequest =
                Set.of(Setting.BODY, Setting.EXPECT, Setting.METRIC).contains(word.setting());
        Request last = requests.isEmpty() ? null : requests.get(requests.size() - 1);
        List<Word> to =
                ofRequest && last != null && last.takes(word.setting()) ? last.more() : words;
        boolean again = to.stream().anyMatch(before -> before.setting() == word.setting());
        if (again && (word.setting() == Setting.BODY || word.setting() == Setting.EXPECT)) {
            throw new IllegalArgumentException(
                    word.name() + ": given twice: expected it once for a request");
        }
        to.add(word);
    }

    /**
     * What was said, for a plan.
     *
     * @param ofProperties the options that system properties said
     * @param inputs reads the files of bodies
     */
    Settings settings(Set<String> ofProperties, Inputs inputs) throws UsageException {
        Settings settings = Settings.NONE;
        for (Word word : words) {
            settings = settings.with(word.setting(), given(word, ofProperties, inputs));
        }
        for (Request request : requests) {
            settings = settings.with(Setting.OPERATIONS, given(request, ofProperties, inputs));
        }
        return settings;
    }

    private Given given(Request request, Set<String> ofProperties, Inputs inputs)
            throws UsageException {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        Map<String, Origin> origins = new HashMap<>();
        document.put("method", request.method());
        Given path = given(request.path(), ofProperties, inputs);
        document.set("path", path.value());
        for (Word word : request.more()) {
            Given given = given(word, ofProperties, inputs);
            String key =
                    switch (word.setting()) {
                        case BODY -> "body";
                        case EXPECT -> "checks";
                        default -> "metrics";
                    };
            origins.put(key, given.origin());
            if (word.setting() == Setting.METRIC) {
                document.withArray(key).add(given.value());
            } else {
                document.set(key, given.value());
            }
        }
        return new Given(document, Optional.empty(), new Origin.Options(path.origin(), origins));
    }

    private Given given(Word word, Set<String> ofProperties, Inputs inputs) throws UsageException {
        String name = word.name();
        Origin origin =
                ofProperties.contains(name)
                        ? new Origin.Property(name.substring(2))
                        : new Origin.Option(name);
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        boolean flag = word.setting().kind().type() == Kind.Type.FLAG;
        if (flag) {
            return new Given(nodes.booleanNode(true), Optional.empty(), origin);
        }
        if (word.setting() == Setting.BODY && word.text().startsWith("@")) {
            return new Given(
                    nodes.binaryNode(content(word.text().substring(1), inputs)),
                    Optional.of(word.text()),
                    origin);
        }
        return Given.text(word.setting(), word.text(), origin);
    }

    private byte[] content(String name, Inputs inputs) throws UsageException {
        if (name.equals(Inputs.STANDARD) && Inputs.STANDARD.equals(plan)) {
            throw new UsageException("--body @- cannot be combined with --plan -");
        }
        try {
            return inputs.read(name);
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("--body @" + name + ": expected a file that can be read");
        }
    }
}
