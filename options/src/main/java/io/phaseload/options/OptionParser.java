package io.phaseload.options;

import io.phaseload.options.OptionSpec.Takes;
import io.phaseload.options.Typed.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.kohsuke.args4j.ClassParser;
import org.kohsuke.args4j.CmdLineException;
import org.kohsuke.args4j.CmdLineParser;
import org.kohsuke.args4j.NamedOptionDef;
import org.kohsuke.args4j.ParserProperties;
import org.kohsuke.args4j.spi.BooleanOptionHandler;
import org.kohsuke.args4j.spi.OptionHandler;
import org.kohsuke.args4j.spi.Parameters;

/**
 * Fills in an args4j bean from a command line, system properties and variables of the environment, which yield to one
 * another in this order.
 *
 * <p>Every option can be given as a system property of its long name, {@code -Dthreads=20} for {@code --threads 20},
 * which is how {@code mvn exec:java} passes options on, and as a variable, {@code PHASELOAD_THREADS=20}. A
 * {@code boolean} option is a flag: alone, or with {@code =true} or {@code =false}. Every other option takes one value,
 * as {@code --port 8080} or {@code --port=8080}. It may be given once, unless its field is a collection, or it is on a
 * method. All words after {@code --} are arguments.
 *
 * <p>args4j knows the options and sets their values. It doesn't parse the line itself: its messages would be in the
 * machine's language, and not name the option. {@link OptionTexts} has the help of options, to which a default is
 * added.
 */
public final class OptionParser {

    /** Not read from the environment: PHASELOAD_VERSION is a name that others take for a version. */
    private static final Set<String> ANSWERED = Set.of("--help", "--version");

    private final CmdLineParser parser;
    private final List<OptionSpec> options = new ArrayList<>();
    private final UnaryOperator<String> properties;
    private final UnaryOperator<String> environment;
    private List<Token> all = List.of();

    /**
     * Makes a parser that looks at the system properties and the environment.
     *
     * @param bean an object with args4j annotations
     */
    public OptionParser(Object bean) {
        this(bean, System::getProperty, System::getenv);
    }

    /**
     * Makes a parser.
     *
     * @param bean an object with args4j annotations
     * @param properties from the name of a property to its value, or null
     * @param environment from the name of a variable to its value, or null
     */
    public OptionParser(Object bean, UnaryOperator<String> properties, UnaryOperator<String> environment) {
        // args4j would replace @FILE by the lines of that file; here, each option decides. It would sort, too.
        this.parser = new CmdLineParser(
                bean, ParserProperties.defaults().withAtSyntax(false).withOptionSorter(null));
        this.properties = properties;
        this.environment = environment;
        addFields(bean, 0);
        addMore(bean);
    }

    private void addMore(Object bean) {
        if (bean instanceof MoreOptions more) {
            more.more().forEach(this::add);
        }
    }

    private void add(Object more) {
        if (more instanceof OptionSpec spec) {
            options.add(spec);
        } else {
            int before = parser.getOptions().size();
            new ClassParser().parse(more, parser);
            addFields(more, before);
            addMore(more);
        }
    }

    private void addFields(Object bean, int before) {
        OptionTexts texts = new OptionTexts(bean.getClass());
        parser.getOptions().subList(before, parser.getOptions().size()).forEach(handler -> addField(handler, texts));
    }

    private void addField(OptionHandler<?> handler, OptionTexts texts) {
        NamedOptionDef option = (NamedOptionDef) handler.option;
        List<String> names = Stream.concat(Stream.of(option.name()), Stream.of(option.aliases()))
                .toList();
        String name =
                names.stream().filter(one -> one.startsWith("--")).findFirst().orElseThrow();
        List<String> aliases =
                names.stream().filter(alias -> !alias.equals(name)).toList();
        String defaultValue = defaultValue(handler);
        options.add(new OptionSpec(
                name,
                aliases,
                () -> texts.of(name).withDefault(defaultValue),
                takes(handler),
                option.hidden(),
                (typed, value) -> set(handler, typed, value)));
    }

    private static Takes takes(OptionHandler<?> handler) {
        if (handler instanceof BooleanOptionHandler) {
            return Takes.NOTHING;
        }
        return handler.setter.isMultiValued() ? Takes.SEVERAL : Takes.ONE;
    }

    private static String defaultValue(OptionHandler<?> handler) {
        boolean none = handler instanceof BooleanOptionHandler || handler.setter.isMultiValued();
        return none ? "" : Optional.ofNullable(handler.printDefaultValue()).orElse("");
    }

    private static void set(OptionHandler<?> handler, Typed typed, String text) {
        try {
            if (handler instanceof BooleanOptionHandler flag) {
                flag.setter.addValue(Boolean.valueOf(text));
            } else {
                handler.parseArguments(new OneParameter(typed.name(), text));
            }
        } catch (CmdLineException e) {
            throw new UsageException(e.getMessage());
        } catch (UsageException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new UsageException(typed.with(text) + ": " + e.getMessage());
        }
    }

    /**
     * Sets the fields of the bean.
     *
     * @param arguments the command line
     * @throws UsageException if it is wrong or a value isn't allowed; the bean's fields are then undefined
     */
    public void parse(String... arguments) {
        List<Token> line = commandLine(arguments);
        List<Token> below = new ArrayList<>();
        for (OptionSpec option : options) {
            if (line.stream().noneMatch(token -> token.option() == option)) {
                elsewhere(option).ifPresent(below::add);
            }
        }
        all = Stream.concat(below.stream(), line.stream()).toList();
        for (Token token : all) {
            set(token);
        }
    }

    private void set(Token token) {
        OptionSpec option = token.option();
        try {
            if (option == null) {
                set(parser.getArguments().get(0), token.typed(), token.value());
            } else {
                option.given().accept(token.typed(), option.isFlag() ? String.valueOf(!token.off()) : token.value());
            }
        } catch (IllegalArgumentException e) {
            // A handler, or a method of the bean, refused the value: its message is for the user.
            throw new UsageException(e.getMessage());
        }
    }

    /**
     * The values of an option.
     *
     * @param name such as {@code --threads} or {@code -c}
     * @return empty if there is no such option
     */
    public Optional<Takes> takes(String name) {
        return Optional.ofNullable(find(name)).map(OptionSpec::takes);
    }

    /**
     * Whether a system property or a variable has a value for an option.
     *
     * @param name its long name
     */
    public boolean isGivenElsewhere(String name) {
        return options.stream().filter(option -> option.name().equals(name)).anyMatch(option -> elsewhere(option)
                .isPresent());
    }

    /**
     * The options that there are, and the arguments if there may be some.
     *
     * @return in order, with those that help doesn't mention
     */
    public List<OptionSpec> options() {
        Stream<OptionSpec> arguments = parser.getArguments().stream()
                .map(handler -> new OptionSpec(
                        handler.option.metaVar(),
                        List.of(),
                        () -> new OptionText("", handler.option.usage(), "", ""),
                        Takes.SEVERAL,
                        handler.option.usage().isEmpty(),
                        (typed, value) -> set(handler, typed, value)));
        return Stream.concat(arguments, options.stream()).toList();
    }

    /**
     * The options that the last {@link #parse} found on the command line and in system properties.
     *
     * @return their long names, such as {@code --threads}, whichever name they were given by
     */
    public Set<String> given() {
        return all.stream()
                .filter(token -> token.option() != null && token.typed().place() != Place.VARIABLE)
                .map(token -> token.option().name())
                .collect(Collectors.toSet());
    }

    /**
     * Everything that the last {@link #parse} found, as an equivalent command line.
     *
     * @return names and values in order, those of properties and variables first
     */
    public List<String> line() {
        return all.stream().flatMap(Token::words).toList();
    }

    private List<Token> commandLine(String[] arguments) {
        List<Token> tokens = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            String word = arguments[i];
            if (word.equals("--")) {
                Arrays.stream(arguments).skip(i + 1L).forEach(rest -> tokens.add(argument(rest)));
                break;
            }
            if (!word.startsWith("-")) {
                tokens.add(argument(word));
                continue;
            }
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            String value = equals < 0 ? null : word.substring(equals + 1);
            OptionSpec option = find(name);
            if (option == null) {
                throw new UsageException(unknown(name));
            }
            boolean last = i + 1 == arguments.length;
            if (value == null && option.takes() == Takes.PERHAPS) {
                value = last || arguments[i + 1].startsWith("-") ? "" : arguments[++i];
            } else if (value == null && !option.isFlag()) {
                if (last) {
                    throw new UsageException(missing(name, option));
                }
                value = arguments[++i];
            }
            if (option.isFlag()) {
                tokens.removeIf(earlier -> earlier.option() == option);
            } else if (option.takes() == Takes.ONE) {
                checkOnce(name, option, tokens);
            }
            // Messages have the long name of a flag.
            Typed typed = new Typed(Place.LINE, option.isFlag() ? option.name() : name);
            tokens.add(token(option, typed, value == null ? "" : value));
        }
        return tokens;
    }

    private Token argument(String word) {
        if (parser.getArguments().isEmpty()) {
            throw new UsageException(word + ": unexpected argument, options start with --");
        }
        return new Token(null, new Typed(Place.LINE, word), word);
    }

    /** Without the values: one of them may be a secret. */
    private static void checkOnce(String name, OptionSpec option, List<Token> before) {
        for (Token token : before) {
            if (token.option() == option) {
                String also = token.typed().name().equals(name)
                        ? ""
                        : ", also as " + token.typed().name();
                throw new UsageException(name + ": given twice" + also + ": expected it once");
            }
        }
    }

    private Optional<Token> elsewhere(OptionSpec option) {
        String property = option.name().substring(2);
        String value = properties.apply(property);
        Typed typed = new Typed(Place.PROPERTY, "-D" + property);
        if (value == null && !ANSWERED.contains(option.name())) {
            value = environment.apply(option.variable());
            typed = new Typed(Place.VARIABLE, option.variable());
            if (value != null && value.startsWith("tcp://")) {
                // Kubernetes sets PHASELOAD_PORT so in every container beside a service named phaseload.
                value = null;
            }
        }
        if (value == null) {
            return Optional.empty();
        }
        if (value.contains("\ufffd")) {
            throw new UsageException(typed.with(value) + ": expected a locale such as LC_ALL=C.UTF-8");
        }
        return Optional.of(token(option, typed, value));
    }

    private static Token token(OptionSpec option, Typed typed, String value) {
        if (option.isFlag() && !List.of("", "true", "false").contains(value)) {
            throw new UsageException(typed.with(value) + ": expected true or false, or no value at all");
        }
        return new Token(option, typed, value);
    }

    private String unknown(String name) {
        List<String> known = options.stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::name)
                .toList();
        return name
                + ": no such option, "
                + EditDistance.nearest(name, known)
                        .map(nearest -> "did you mean " + nearest + "?")
                        .orElse("--help lists them");
    }

    private static String missing(String name, OptionSpec option) {
        String expected = option.text().get().expected();
        return name + ": a value is missing" + (expected.isEmpty() ? "" : " (" + expected + ")");
    }

    private OptionSpec find(String name) {
        return options.stream()
                .filter(option -> option.names().anyMatch(name::equals))
                .findFirst()
                .orElse(null);
    }

    /** An option with its value, or, without an option, an argument. */
    private record Token(OptionSpec option, Typed typed, String value) {

        boolean off() {
            return option != null && option.isFlag() && value.equals("false");
        }

        Stream<String> words() {
            if (option == null) {
                return Stream.of(value);
            }
            String name = typed.place() == Place.LINE ? typed.name() : option.name();
            if (option.isFlag()) {
                return Stream.of(off() ? name + "=false" : name);
            }
            return Stream.of(name, value);
        }
    }

    /** A value as args4j takes it, with the name that it was typed with. */
    private record OneParameter(String name, String text) implements Parameters {

        @Override
        public String getParameter(int index) {
            return index < 0 ? name : text;
        }

        @Override
        public int size() {
            return 1;
        }
    }
}
