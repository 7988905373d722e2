package io.phaseload.cli.run;

import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.OptionSpec.Takes;
import io.phaseload.options.UsageException;
import io.phaseload.result.json.FileProblem;
import io.phaseload.settings.Given;
import io.phaseload.settings.Kind;
import io.phaseload.settings.Origin;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import io.phaseload.settings.SettingsException;
import io.phaseload.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The options that say what a run does, as they were typed: settings, requests in order, and {@code --plan}. They are
 * made into settings once for a run, and once for each trial of a sweep.
 */
public final class PlanOptions implements MoreOptions {

    private static final List<String> REQUESTS =
            List.of("--delete", "--get", "--head", "--options", "--patch", "--post", "--put");

    /** Headers that a request has only once. */
    private static final Set<Setting> ONCE = Set.of(Setting.BODY, Setting.EXPECT, Setting.EVENT_STREAM);

    private final Set<Setting> without;
    private final Inputs inputs = new Inputs();
    private final List<Word> words = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private String plan;
    private String file;

    /** A value as it was typed. */
    private record Word(Setting setting, String name, String text) {

        boolean isForm() {
            return setting == Setting.FORM;
        }
    }

    /** A request, such as {@code --post /items}, with the options that follow it. */
    private record Request(Word path, List<Word> more) {

        String method() {
            return path.name().substring(2).toUpperCase(Locale.ROOT);
        }

        /** RFC 9110 §9.3 has no use for a body of GET or HEAD. */
        boolean takes(Setting setting) {
            return setting != Setting.BODY && setting != Setting.FORM
                    || !Set.of("GET", "HEAD").contains(method());
        }

        boolean takesForm() {
            return Set.of("POST", "PUT", "PATCH").contains(method())
                    && more.stream().allMatch(word -> word.setting() != Setting.BODY && !word.isForm());
        }
    }

    /**
     * Makes options that haven't been given yet.
     *
     * @param without settings for which the command has its own options
     */
    public PlanOptions(Set<Setting> without) {
        this.without = without;
    }

    @Override
    public List<OptionSpec> more() {
        List<OptionSpec> more = new ArrayList<>();
        more.add(new OptionSpec(
                "--plan", "a plan as YAML or JSON, or a result.json", Takes.ONE, (name, of) -> plan = of));
        more.add(new OptionSpec("--requests", "a file of requests", Takes.ONE, (name, of) -> file = of));
        for (String request : REQUESTS) {
            more.add(new OptionSpec(request, "a path that begins with /", Takes.SEVERAL, this::addRequest));
        }
        for (Setting setting : Setting.values()) {
            if (!setting.option().isEmpty() && !without.contains(setting)) {
                Takes takes =
                        switch (setting.kind().type()) {
                            case FLAG -> Takes.NOTHING;
                            case LIST -> Takes.SEVERAL;
                            default -> Takes.ONE;
                        };
                more.add(new OptionSpec(
                        setting.option(),
                        setting.aliases(),
                        setting.kind().expected(),
                        takes,
                        false,
                        (name, text) -> add(new Word(setting, name, text))));
            }
        }
        return more;
    }

    private void addRequest(String name, String path) {
        requests.add(new Request(new Word(Setting.OPERATIONS, name, path), new ArrayList<>()));
    }

    /** Body, form, checks, metrics and a stream belong to the request before them, if there is one that takes them. */
    private void add(Word word) {
        boolean ofRequest = Set.of(Setting.BODY, Setting.FORM, Setting.EXPECT, Setting.METRIC, Setting.EVENT_STREAM)
                .contains(word.setting());
        Request last = requests.isEmpty() ? null : requests.get(requests.size() - 1);
        List<Word> to = ofRequest && last != null && last.takes(word.setting()) ? last.more() : words;
        boolean again = to.stream().anyMatch(before -> before.setting() == word.setting());
        if (again && ONCE.contains(word.setting())) {
            throw new IllegalArgumentException(word.name() + ": given twice: expected it once for a request");
        }
        to.add(word);
    }

    /**
     * The requests as they were typed, such as {@code GET /items/{size}}, or else as the plan's file names them.
     *
     * @param filling leaves the file's requests as they are
     */
    public List<String> requests(Filling filling) {
        if (plan == null || file != null || !requests.isEmpty()) {
            return requests.stream()
                    .map(request -> request.method() + " " + request.path().text())
                    .toList();
        }
        try {
            return planned(filling.typed().apply(plan), filling).all(Setting.OPERATIONS).stream()
                    .map(PlanOptions::name)
                    .toList();
        } catch (SettingsException e) {
            throw new UsageException(e.getMessage());
        }
    }

    private static String name(Given request) {
        String line = request.isObject()
                ? part(request, "method") + " " + part(request, "path")
                : request.text().strip();
        String[] words = line.split("\\s+", 2);
        return request.part("name")
                .map(Given::text)
                .orElseGet(() -> words[0].toUpperCase(Locale.ROOT) + " " + words[1]);
    }

    private static String part(Given request, String key) {
        return request.part(key).map(Given::text).orElse("");
    }

    /** The values of a setting as they were typed. */
    public List<String> texts(Setting setting) {
        return words.stream()
                .filter(word -> word.setting() == setting)
                .map(Word::text)
                .toList();
    }

    /** The settings of the command line, over those of the file of {@code --plan}. */
    Settings settings(Set<String> ofProperties) {
        return settings(ofProperties, Filling.NONE, Settings.NONE);
    }

    /**
     * The same with names in braces replaced, and with the command's own settings.
     *
     * @param ofProperties the options that came from system properties
     * @param filling replaces names by values
     * @param own of the command, in addition to those that were typed
     */
    public Settings settings(Set<String> ofProperties, Filling filling, Settings own) {
        try {
            return made(ofProperties, filling, own);
        } catch (SettingsException e) {
            throw new UsageException(e.getMessage());
        }
    }

    private Settings made(Set<String> ofProperties, Filling filling, Settings own) {
        UnaryOperator<String> fill = filling.typed();
        Settings settings = own;
        for (Word word : words) {
            if (!word.isForm()) {
                settings = settings.with(word.setting(), given(word, ofProperties, fill));
            }
        }
        for (Request request : withForm()) {
            settings = settings.with(Setting.OPERATIONS, given(request, ofProperties, fill));
        }
        if (file != null) {
            settings = requestsOf(fill.apply(file), settings);
        }
        return plan == null ? settings : filling.completed().apply(overFile(fill.apply(plan), settings, filling));
    }

    /** A form that comes first is of each request that may have one, or of a POST. */
    private List<Request> withForm() {
        List<Word> form = words.stream().filter(Word::isForm).toList();
        if (form.isEmpty()) {
            return requests;
        }
        if (requests.isEmpty()) {
            return List.of(new Request(new Word(Setting.OPERATIONS, "--post", "/"), form));
        }
        if (requests.stream().noneMatch(Request::takesForm)) {
            throw new UsageException(form.get(0).name() + " needs --post, --put or --patch");
        }
        return requests.stream()
                .map(request -> request.takesForm()
                        ? new Request(
                                request.path(),
                                Stream.concat(form.stream(), request.more().stream())
                                        .toList())
                        : request)
                .toList();
    }

    private Settings requestsOf(String name, Settings said) {
        if (name.matches("[0-9]+[km]?")) {
            throw new UsageException(
                    "--requests %s: expected a file; use --iterations N, which counts per user and phase"
                            .formatted(name));
        }
        if (said.has(Setting.OPERATIONS)) {
            throw new UsageException("--requests cannot be combined with "
                    + said.one(Setting.OPERATIONS).orElseThrow().origin().name());
        }
        try {
            return RequestsFile.read(name, inputs.read(name), said);
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("--requests " + name + ": expected a readable file");
        }
    }

    private Given given(Request request, Set<String> ofProperties, UnaryOperator<String> fill) {
        Given path = given(request.path(), ofProperties, fill);
        Map<String, Given> parts = new HashMap<>();
        parts.put("method", Given.text(Setting.OPERATIONS, request.method(), path.origin()));
        parts.put("path", path);
        List<Given> metrics = new ArrayList<>();
        List<Given> form = new ArrayList<>();
        for (Word word : request.more()) {
            Given given = given(word, ofProperties, fill);
            switch (word.setting()) {
                case BODY -> parts.put("body", given);
                case EXPECT -> parts.put("checks", given);
                case EVENT_STREAM -> parts.put("eventStream", given);
                case FORM -> form.add(FormPart.of(given));
                default -> metrics.add(given);
            }
        }
        if (!metrics.isEmpty()) {
            Origin last = metrics.get(metrics.size() - 1).origin();
            parts.put("metrics", Given.list(metrics, last));
        }
        if (!form.isEmpty()) {
            if (parts.containsKey("body")) {
                throw form.get(0).conflict("--body");
            }
            parts.put("multipart", Given.list(form, form.get(0).origin()));
        }
        return Given.object(parts, path.origin());
    }

    private Given given(Word word, Set<String> ofProperties, UnaryOperator<String> fill) {
        String name = word.name();
        String text = fill.apply(word.text());
        Origin origin = ofProperties.contains(name) ? new Origin.Property(name.substring(2)) : new Origin.Option(name);
        if (word.setting().kind().type() == Kind.Type.FLAG) {
            return Given.flag(Boolean.parseBoolean(text), origin);
        }
        if (word.setting() == Setting.BODY && text.startsWith("@")) {
            return Given.bytes(content(text.substring(1)), text, origin);
        }
        return Given.text(word.setting(), text, origin);
    }

    private byte[] content(String name) {
        if (name.equals(Inputs.STANDARD) && Inputs.STANDARD.equals(plan)) {
            throw new UsageException("--body @- cannot be combined with --plan -");
        }
        try {
            return inputs.read(name);
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("--body @" + name + ": expected a readable file");
        }
    }

    private Settings overFile(String name, Settings said, Filling filling) {
        Settings both = said.over(planned(name, filling));
        if (!both.has(Setting.URL) && !both.has(Setting.TARGET)) {
            throw new UsageException(
                    "--plan " + name + " needs a key target, such as http://localhost:8080/ or tomcat," + " or --url");
        }
        return both;
    }

    /** The settings of the file alone. */
    private Settings planned(String name, Filling filling) {
        String option = "--plan " + name;
        try {
            String file = name.equals(Inputs.STANDARD)
                    ? name
                    : SettingsFile.file(Path.of(name)).toString();
            if (Files.isDirectory(Path.of(name)) && !Files.exists(Path.of(file))) {
                throw new UsageException(option + ": is a folder without a result.json; expected a plan's file");
            }
            byte[] bytes = inputs.read(file, SettingsFile.MOST_BYTES + 1);
            return SettingsFile.parse(option, file, bytes, filling.ofPlan());
        } catch (IOException | InvalidPathException e) {
            throw new UsageException(option + ": expected a plan, or a result.json: " + FileProblem.of(e));
        }
    }
}
