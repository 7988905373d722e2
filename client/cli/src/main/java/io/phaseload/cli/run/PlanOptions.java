package io.phaseload.cli.run;

import io.phaseload.cli.command.Inputs;
import io.phaseload.files.FileProblem;
import io.phaseload.input.Secrets;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionSpec;
import io.phaseload.options.OptionSpec.Takes;
import io.phaseload.options.OptionText;
import io.phaseload.options.OptionTexts;
import io.phaseload.options.Typed;
import io.phaseload.options.Typed.Place;
import io.phaseload.options.UsageException;
import io.phaseload.settings.Given;
import io.phaseload.settings.Kind;
import io.phaseload.settings.Origin;
import io.phaseload.settings.SecretOptions;
import io.phaseload.settings.Setting;
import io.phaseload.settings.SettingGroup;
import io.phaseload.settings.Settings;
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
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The options that say what a run does, as they were typed: settings, requests in order, and {@code --plan}. They are
 * made into settings once for a run, and once for each trial of a sweep.
 */
public final class PlanOptions implements MoreOptions {

    private static final List<String> REQUESTS =
            List.of("--get", "--post", "--put", "--patch", "--delete", "--head", "--options");

    /** Headers that a request has only once. */
    private static final Set<String> ONCE = Set.of(Setting.BODY, Setting.EXPECT, Setting.EVENT_STREAM);

    private final Set<String> without;
    private final OptionTexts texts = new OptionTexts(PlanOptions.class);
    private final Inputs inputs = new Inputs();
    private final List<TypedWord> words = new ArrayList<>();
    private final List<TypedRequest> requests = new ArrayList<>();
    private String plan;
    private String file;
    private Place fileAt = Place.LINE;

    /** A value as it was typed. */
    private record TypedWord(String setting, Typed typed, String text) {

        boolean isForm() {
            return setting.equals(Setting.FORM);
        }

        boolean isIn(boolean environment) {
            return environment == (typed.place() == Place.VARIABLE);
        }

        Origin origin() {
            return switch (typed.place()) {
                case LINE -> new Origin.Option(typed.name());
                case PROPERTY -> new Origin.Property(typed.name().substring(2));
                case VARIABLE -> new Origin.Variable(typed.name());
            };
        }
    }

    /** A request, such as {@code --post /items}, with the options that follow it. */
    private record TypedRequest(String option, TypedWord path, List<TypedWord> more) {

        String method() {
            return option.substring(2).toUpperCase(Locale.ROOT);
        }

        /** RFC 9110 §9.3 has no use for a body of GET or HEAD. */
        boolean takes(String setting) {
            return !setting.equals(Setting.BODY) && !setting.equals(Setting.FORM)
                    || !Set.of("GET", "HEAD").contains(method());
        }

        boolean takesForm() {
            return Set.of("POST", "PUT", "PATCH").contains(method())
                    && more.stream().allMatch(word -> !word.setting().equals(Setting.BODY) && !word.isForm());
        }
    }

    /**
     * Makes options that haven't been given yet.
     *
     * @param without settings for which the command has its own options
     */
    public PlanOptions(Set<String> without) {
        this.without = without;
    }

    @Override
    public List<OptionSpec> more() {
        List<OptionSpec> more = new ArrayList<>();
        for (SettingGroup group : SettingGroup.values()) {
            if (group == SettingGroup.TARGET) {
                more.add(own("--plan", group, Takes.ONE, (typed, of) -> plan = of));
            } else if (group == SettingGroup.REQUESTS) {
                addRequests(more);
            }
            Setting.all().forEach((key, setting) -> {
                if (setting.isOf(group) && !without.contains(key)) {
                    more.add(option(group, key, setting));
                }
            });
        }
        return more;
    }

    /** Whether an option is one of these. */
    public boolean has(OptionSpec option) {
        return more().stream().anyMatch(own -> own.name().equals(option.name()));
    }

    private void addRequests(List<OptionSpec> more) {
        for (String request : REQUESTS) {
            more.add(own(
                    request,
                    SettingGroup.REQUESTS,
                    Takes.SEVERAL,
                    (typed, path) -> requests.add(new TypedRequest(
                            request, new TypedWord(Setting.OPERATIONS, typed, path), new ArrayList<>()))));
        }
        more.add(own("--requests", SettingGroup.REQUESTS, Takes.ONE, (typed, of) -> {
            file = of;
            fileAt = typed.place();
        }));
    }

    /** An option that isn't a setting's. */
    private OptionSpec own(String name, SettingGroup group, Takes takes, BiConsumer<Typed, String> given) {
        return new OptionSpec(name, List.of(), () -> texts.of(name).under(group.heading()), takes, false, given);
    }

    private OptionSpec option(SettingGroup group, String key, Setting setting) {
        Takes takes =
                switch (setting.kind().type()) {
                    case FLAG -> Takes.NOTHING;
                    case LIST -> Takes.SEVERAL;
                    default -> Takes.ONE;
                };
        return new OptionSpec(
                setting.option(),
                setting.aliases(),
                () -> new OptionText(
                        setting.form(),
                        setting.help(),
                        group.heading(),
                        setting.kind().expected()),
                takes,
                false,
                (typed, text) -> add(new TypedWord(key, typed, text)));
    }

    /** Body, form, checks, metrics and a stream belong to the request before them, if there is one that takes them. */
    private void add(TypedWord word) {
        boolean ofRequest = Set.of(Setting.BODY, Setting.FORM, Setting.EXPECT, Setting.METRIC, Setting.EVENT_STREAM)
                .contains(word.setting());
        TypedRequest last = requests.isEmpty() ? null : requests.get(requests.size() - 1);
        List<TypedWord> to = ofRequest && last != null && last.takes(word.setting()) ? last.more() : words;
        boolean again = to.stream().anyMatch(before -> before.setting().equals(word.setting()));
        if (again && ONCE.contains(word.setting())) {
            throw new IllegalArgumentException(word.typed().name() + ": given twice: expected it once for a request");
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
        return RunPlan.checked(() -> planned(filling.typed().apply(plan), filling).all(Setting.OPERATIONS).stream()
                .map(PlanOptions::name)
                .toList());
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
    public List<String> texts(String setting) {
        return words.stream()
                .filter(word -> word.setting().equals(setting))
                .map(TypedWord::text)
                .toList();
    }

    /** The settings of the command line, over those of the environment, over those of the file of {@code --plan}. */
    Settings settings() {
        return settings(Filling.NONE, Settings.NONE);
    }

    /**
     * The same with names in braces replaced, and with the command's own settings.
     *
     * @param filling replaces names by values
     * @param own of the command, in addition to those that were typed
     */
    public Settings settings(Filling filling, Settings own) {
        return RunPlan.checked(() -> {
            UnaryOperator<String> fill = filling.typed();
            Settings typed = layer(false, fill, own).over(layer(true, fill, Settings.NONE));
            return plan == null ? typed : filling.completed().apply(overFile(fill.apply(plan), typed, filling));
        });
    }

    /** The settings of the environment, or of the command line and system properties. */
    private Settings layer(boolean environment, UnaryOperator<String> fill, Settings own) {
        Settings settings = own;
        for (TypedWord word : words) {
            if (!word.isForm() && word.isIn(environment)) {
                for (Given given : given(word, fill)) {
                    settings = settings.with(word.setting(), given);
                }
            }
        }
        for (TypedRequest request : withForm()) {
            if (request.path().isIn(environment)) {
                settings = settings.with(Setting.OPERATIONS, given(request, fill));
            }
        }
        return file != null && environment == (fileAt == Place.VARIABLE)
                ? requestsOf(fill.apply(file), settings)
                : settings;
    }

    /** A form that comes first is of each request that may have one, or of a POST. */
    private List<TypedRequest> withForm() {
        List<TypedWord> form = words.stream().filter(TypedWord::isForm).toList();
        if (form.isEmpty()) {
            return requests;
        }
        if (requests.isEmpty()) {
            return List.of(new TypedRequest(
                    "--post", new TypedWord(Setting.OPERATIONS, form.get(0).typed(), "/"), form));
        }
        if (requests.stream().noneMatch(TypedRequest::takesForm)) {
            throw new UsageException(form.get(0).typed().name() + " needs --post, --put or --patch");
        }
        return requests.stream()
                .map(request -> request.takesForm()
                        ? new TypedRequest(
                                request.option(),
                                request.path(),
                                Stream.concat(form.stream(), request.more().stream())
                                        .toList())
                        : request)
                .toList();
    }

    private Settings requestsOf(String name, Settings said) {
        UsageException.throwIf(
                name.matches("[0-9]+[km]?"),
                "--requests %s: expected a file; use --iterations N, which counts per user and phase",
                name);
        if (said.has(Setting.OPERATIONS)) {
            throw new UsageException("--requests cannot be combined with "
                    + said.one(Setting.OPERATIONS).orElseThrow().origin().name());
        }
        return RequestList.read(name, inputs.content(name, "--requests " + name), said);
    }

    private Given given(TypedRequest request, UnaryOperator<String> fill) {
        Given path = given(request.path(), fill).get(0);
        Map<String, Given> parts = new HashMap<>();
        parts.put("method", Given.text(Setting.OPERATIONS, request.method(), path.origin()));
        parts.put("path", path);
        List<Given> metrics = new ArrayList<>();
        List<Given> form = new ArrayList<>();
        for (TypedWord word : request.more()) {
            Given given = given(word, fill).get(0);
            switch (word.setting()) {
                case Setting.BODY -> parts.put("body", given);
                case Setting.EXPECT -> parts.put("checks", given);
                case Setting.EVENT_STREAM -> parts.put("eventStream", given);
                case Setting.FORM -> form.add(FormPart.of(given));
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

    /** One value, or several lines of a file. */
    private List<Given> given(TypedWord word, UnaryOperator<String> fill) {
        String setting = word.setting();
        String text = fill.apply(word.text());
        Origin origin = word.origin();
        if (Setting.of(setting).kind().type() == Kind.Type.FLAG) {
            return List.of(Given.flag(Boolean.parseBoolean(text), origin));
        }
        if (setting.equals(Setting.BODY) && text.startsWith("@")) {
            return List.of(Given.bytes(inputs.content(text.substring(1), "--body " + text), text, origin));
        }
        if (SecretOptions.isReference(Setting.of(setting).option(), text)) {
            return referenced(setting, text, word.typed().with(text)).stream()
                    .map(line -> Given.referenced(line, text, origin))
                    .toList();
        }
        return List.of(Given.text(setting, text, origin));
    }

    /** The lines that a reference leads to: one, unless they are headers. */
    private List<String> referenced(String setting, String reference, String option) {
        List<String> lines = inputs.referenced(reference, option)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        UsageException.throwIf(!setting.equals(Setting.HEADER) && lines.size() != 1, "%s: expected one line", option);
        for (String line : setting.equals(Setting.HEADER) ? lines : List.<String>of()) {
            String name = line.split(":", 2)[0].strip();
            if (line.contains(":") && !Secrets.isSecret(name)) {
                // Results have the values of all other headers.
                throw new UsageException(
                        "%s: %s isn't the name of a secret, such as Authorization or X-Api-Key: use -H '%s: …'",
                        option, name, name);
            }
        }
        return lines;
    }

    private Settings overFile(String name, Settings said, Filling filling) {
        Settings both = said.over(planned(name, filling));
        UsageException.throwIf(
                !both.has(Setting.URL) && !both.has(Setting.TARGET),
                "--plan %s needs a key target, such as http://localhost:8080/ or tomcat, or --url",
                name);
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
            byte[] bytes = inputs.read(file, option, SettingsFile.MOST_BYTES + 1);
            return SettingsFile.parse(option, file, bytes, filling.ofPlan());
        } catch (IOException | InvalidPathException e) {
            throw new UsageException(option + ": expected a plan, or a result.json: " + FileProblem.of(e));
        }
    }
}
