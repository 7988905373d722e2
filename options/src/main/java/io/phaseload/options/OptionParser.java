package io.phaseload.options;

import java.util.ArrayList;
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
 * Fills in an args4j bean from a command line and from system properties.
 *
 * <p>Every option can be given as a system property of its long name, {@code -Dthreads=20} for {@code --threads 20},
 * which is how {@code mvn exec:java} passes options on; the command line wins. A {@code boolean} option is a flag:
 * alone, or with {@code =true} or {@code =false}. Every other option takes one value, as {@code --port 8080} or
 * {@code --port=8080}. It may be given once, unless its field is a collection, or it is on a method.
 *
 * <p>args4j knows the options and sets their values. It doesn't parse the line itself: its messages would be in the
 * machine's language, and not name the option.
 */
public final class OptionParser {

    private final CmdLineParser parser;
    private final List<OptionSpec> options = new ArrayList<>();
    private final UnaryOperator<String> properties;
    private List<Token> ofProperties = List.of();
    private List<Token> all = List.of();

    /**
     * Makes a parser that looks at the system properties.
     *
     * @param bean an object with args4j annotations
     */
    public OptionParser(Object bean) {
        this(bean, System::getProperty);
    }

    /**
     * Makes a parser.
     *
     * @param bean an object with args4j annotations
     * @param properties from the name of a property to its value, or null
     */
    public OptionParser(Object bean, UnaryOperator<String> properties) {
        // args4j would replace @FILE by the lines of that file; here, each option decides.
        this.parser = new CmdLineParser(bean, ParserProperties.defaults().withAtSyntax(false));
        this.properties = properties;
        this.parser.getOptions().forEach(this::addField);
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
            parser.getOptions().stream().skip(before).forEach(this::addField);
            addMore(more);
        }
    }

    private void addField(OptionHandler<?> handler) {
        NamedOptionDef option = (NamedOptionDef) handler.option;
        List<String> names = Stream.concat(Stream.of(option.name()), Stream.of(option.aliases()))
                .toList();
        String name =
                names.stream().filter(one -> one.startsWith("--")).findFirst().orElseThrow();
        List<String> aliases =
                names.stream().filter(alias -> !alias.equals(name)).toList();
        OptionSpec.Takes takes = handler instanceof BooleanOptionHandler
                ? OptionSpec.Takes.NOTHING
                : handler.setter.isMultiValued() ? OptionSpec.Takes.SEVERAL : OptionSpec.Takes.ONE;
        options.add(new OptionSpec(
                name,
                aliases,
                option.usage(),
                takes,
                option.hidden(),
                (typed, value) -> set(handler, new Value(typed, value))));
    }

    private static void set(OptionHandler<?> handler, Value value) {
        try {
            if (handler instanceof BooleanOptionHandler flag) {
                flag.setter.addValue(Boolean.valueOf(value.text()));
            } else {
                handler.parseArguments(value);
            }
        } catch (CmdLineException e) {
            throw new UsageException(e.getMessage());
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
        ofProperties = propertiesBeside(line);
        all = Stream.concat(ofProperties.stream(), line.stream()).toList();
        for (Token token : all) {
            set(token);
        }
    }

    private void set(Token token) {
        OptionSpec option = token.option();
        try {
            if (option == null) {
                set(parser.getArguments().get(0), new Value(null, token.value()));
            } else if (option.isFlag()) {
                option.given().accept(option.name(), String.valueOf(!token.off()));
            } else {
                option.given().accept(token.name(), token.value());
            }
        } catch (IllegalArgumentException e) {
            // A handler, or a method of the bean, refused the value: its message is for the user.
            throw new UsageException(e.getMessage());
        }
    }

    /**
     * Whether an option is followed by a value.
     *
     * @param name such as {@code --threads} or {@code -c}
     * @return {@code false} for a flag; empty if there is no such option
     */
    public Optional<Boolean> takesValue(String name) {
        return Optional.ofNullable(find(name)).map(option -> !option.isFlag());
    }

    /**
     * The options that there are.
     *
     * @return in order, with those that help doesn't mention
     */
    public List<OptionSpec> options() {
        return List.copyOf(options);
    }

    /**
     * The options that there are.
     *
     * @return their long names, such as {@code --threads}
     */
    public List<String> names() {
        return options.stream().map(OptionSpec::name).toList();
    }

    /**
     * The options that the last {@link #parse} found.
     *
     * @return their long names, such as {@code --threads}, whichever name they were given by
     */
    public Set<String> given() {
        return longNames(all);
    }

    /**
     * The options of the last {@link #parse} that came from system properties.
     *
     * @return their long names, such as {@code --threads}
     */
    public Set<String> ofProperties() {
        return longNames(ofProperties);
    }

    /**
     * Everything that the last {@link #parse} found, as an equivalent command line.
     *
     * @return names and values in order, what came from system properties first
     */
    public List<String> line() {
        return all.stream().flatMap(Token::words).toList();
    }

    private static Set<String> longNames(List<Token> tokens) {
        return tokens.stream()
                .filter(token -> token.option() != null)
                .map(token -> token.option().name())
                .collect(Collectors.toSet());
    }

    private List<Token> commandLine(String[] arguments) {
        List<Token> tokens = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            String word = arguments[i];
            if (!word.startsWith("-")) {
                if (parser.getArguments().isEmpty()) {
                    throw new UsageException(word + ": unexpected argument, options start with --");
                }
                tokens.add(new Token(null, null, word));
                continue;
            }
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            String value = equals < 0 ? null : word.substring(equals + 1);
            OptionSpec option = find(name);
            if (option == null) {
                throw new UsageException(unknown(name));
            }
            if (value == null && !option.isFlag()) {
                if (++i == arguments.length) {
                    throw new UsageException(missing(name, option));
                }
                value = arguments[i];
            }
            if (option.isFlag()) {
                tokens.removeIf(earlier -> earlier.option() == option);
            } else if (option.takes() == OptionSpec.Takes.ONE) {
                checkOnce(name, option, tokens);
            }
            tokens.add(token(option, name, value == null ? "" : value));
        }
        return tokens;
    }

    /** Without the values: one of them may be a secret. */
    private static void checkOnce(String name, OptionSpec option, List<Token> before) {
        for (Token token : before) {
            if (token.option() == option) {
                String also = token.name().equals(name) ? "" : ", also as " + token.name();
                throw new UsageException(name + ": given twice" + also + ": expected it once");
            }
        }
    }

    private List<Token> propertiesBeside(List<Token> line) {
        List<Token> tokens = new ArrayList<>();
        for (OptionSpec option : options) {
            String name = option.name();
            String value = properties.apply(name.substring(2));
            if (value == null || line.stream().anyMatch(token -> token.option() == option)) {
                continue;
            }
            if (value.contains("\ufffd")) {
                throw new UsageException(name + " " + value + ": expected a locale such as LC_ALL=C.UTF-8");
            }
            tokens.add(token(option, name, value));
        }
        return tokens;
    }

    private static Token token(OptionSpec option, String name, String value) {
        if (option.isFlag() && !List.of("", "true", "false").contains(value)) {
            throw new UsageException(name + " " + value + ": expected true or false, or no value at all");
        }
        return new Token(option, name, value);
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
        String usage = option.usage();
        return name + ": a value is missing" + (usage.isEmpty() ? "" : " (" + usage + ")");
    }

    private OptionSpec find(String name) {
        return options.stream()
                .filter(option -> option.names().anyMatch(name::equals))
                .findFirst()
                .orElse(null);
    }

    /** An option with its value, or, without an option, an argument. */
    private record Token(OptionSpec option, String name, String value) {

        boolean off() {
            return option != null && option.isFlag() && value.equals("false");
        }

        Stream<String> words() {
            if (option == null) {
                return Stream.of(value);
            }
            if (option.isFlag()) {
                return Stream.of(off() ? name + "=false" : name);
            }
            return Stream.of(name, value);
        }
    }

    /** A value as args4j takes it, with the name that it was typed with. */
    private record Value(String name, String text) implements Parameters {

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
