package io.phaseload.options;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 * <p>Every option can be given as a system property of its long name, {@code -Dthreads=20} for
 * {@code --threads 20}, which is how {@code mvn exec:java} passes options on; the command line
 * wins. A {@code boolean} option is a flag: alone, or with {@code =true} or {@code =false}. Every
 * other option takes one value, as {@code --port 8080} or {@code --port=8080}. It may be given
 * once, unless its field is a collection, or it is on a method.
 *
 * <p>A command that starts others can take their options, too, and hand them on as they were given.
 */
public final class OptionParser {

    private final CmdLineParser parser;
    private final List<OptionHandler<?>> others = new ArrayList<>();
    private final UnaryOperator<String> properties;
    private Set<String> given = Set.of();
    private Set<String> ofProperties = Set.of();
    private List<String> handedOn = List.of();
    private List<String> line = List.of();

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
        this.parser = argsParser(bean);
        this.properties = properties;
    }

    /**
     * Makes a parser that takes the options of another bean, too, for {@link #handedOn()}. Where
     * both have an option, it is the first one's.
     *
     * @param bean an object with args4j annotations
     * @param other an object with args4j annotations; its fields stay as they are
     * @return a parser that looks at the system properties
     */
    public static OptionParser handingOn(Object bean, Object other) {
        return handingOn(bean, other, System::getProperty);
    }

    /**
     * Makes a parser that takes the options of another bean, too.
     *
     * @param bean an object with args4j annotations
     * @param other an object with args4j annotations; its fields stay as they are
     * @param properties from the name of a property to its value, or null
     * @return a parser
     */
    public static OptionParser handingOn(
            Object bean, Object other, UnaryOperator<String> properties) {
        OptionParser parser = new OptionParser(bean, properties);
        argsParser(other).getOptions().forEach(parser.others::add);
        return parser;
    }

    private static CmdLineParser argsParser(Object bean) {
        // args4j would replace @FILE by the lines of that file; here it is up to each option.
        CmdLineParser parser =
                new CmdLineParser(bean, ParserProperties.defaults().withAtSyntax(false));
        if (bean instanceof MoreOptions more) {
            more.addTo(parser);
        }
        return parser;
    }

    /**
     * Sets the fields of the bean.
     *
     * @param arguments the command line
     * @throws UsageException if it can't be understood, or a value isn't allowed; the bean's fields
     *     are then undefined
     */
    public void parse(String... arguments) throws UsageException {
        List<Token> line = commandLine(arguments);
        List<Token> all = propertiesBeside(line);
        ofProperties = longNames(all);
        all.addAll(line);
        // Flags that were turned off count as mentioned until here, so that no property returns.
        all.removeIf(Token::off);
        given = longNames(all);
        this.line = all.stream().flatMap(Token::words).toList();
        List<Token> strange = all.stream().filter(token -> isOther(token.option())).toList();
        handedOn = strange.stream().flatMap(Token::words).toList();
        all.removeAll(strange);
        for (Token token : all) {
            set(token);
        }
    }

    private void set(Token token) throws UsageException {
        OptionHandler<?> handler =
                token.option() == null ? parser.getArguments().get(0) : token.option();
        try {
            handler.parseArguments(token);
        } catch (CmdLineException | IllegalArgumentException e) {
            // A handler, or a method of the bean, refused the value: what it says is for the user.
            throw new UsageException(e.getMessage());
        }
    }

    /**
     * Whether an option is followed by a value.
     *
     * @param name such as {@code --threads} or {@code -c}
     * @return {@code false} of a flag; empty if there is no such option
     */
    public Optional<Boolean> takesValue(String name) {
        return Optional.ofNullable(find(name)).map(option -> !isFlag(option));
    }

    /**
     * The options that there are.
     *
     * @return their long names, such as {@code --threads}
     */
    public List<String> names() {
        return options().stream()
                .flatMap(OptionParser::names)
                .filter(name -> name.startsWith("--"))
                .toList();
    }

    /**
     * The options that the last {@link #parse} found.
     *
     * @return their long names, such as {@code --threads}, whichever name they were given by
     */
    public Set<String> given() {
        return given;
    }

    /**
     * The options of the last {@link #parse} that came from system properties.
     *
     * @return their long names, such as {@code --threads}
     */
    public Set<String> ofProperties() {
        return ofProperties;
    }

    /**
     * Everything that the last {@link #parse} found, as a command line that says the same.
     *
     * @return names and values in order, what came from system properties first
     */
    public List<String> line() {
        return line;
    }

    /**
     * The options of the other bean that the last {@link #parse} found.
     *
     * @return names and values in order, for another parser
     */
    public List<String> handedOn() {
        return handedOn;
    }

    private boolean isOther(OptionHandler<?> option) {
        return others.contains(option);
    }

    /** Those of the bean first: they win. */
    private List<OptionHandler<?>> options() {
        List<OptionHandler<?>> options = new ArrayList<>();
        parser.getOptions().forEach(options::add);
        options.addAll(others);
        return options;
    }

    private static Set<String> longNames(List<Token> tokens) {
        return tokens.stream()
                .filter(token -> token.option() != null)
                .map(token -> longName(token.option()))
                .collect(Collectors.toSet());
    }

    private static String longName(OptionHandler<?> option) {
        return names(option).filter(name -> name.startsWith("--")).findFirst().orElseThrow();
    }

    private List<Token> commandLine(String[] arguments) throws UsageException {
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
            OptionHandler<?> option = find(name);
            if (option == null) {
                throw new UsageException(unknown(name));
            }
            if (value == null && !isFlag(option)) {
                if (++i == arguments.length) {
                    throw new UsageException(missing(name, option));
                }
                value = arguments[i];
            }
            if (isFlag(option)) {
                value = flag(name, value == null ? "" : value);
                tokens.removeIf(earlier -> earlier.option() == option);
            } else if (!option.setter.isMultiValued()) {
                checkOnce(name, option, tokens);
            }
            tokens.add(new Token(option, name, value));
        }
        return tokens;
    }

    /** Without the values: one of them may be a secret. */
    private static void checkOnce(String name, OptionHandler<?> option, List<Token> before)
            throws UsageException {
        for (Token token : before) {
            if (token.option() == option) {
                String also = token.name().equals(name) ? "" : ", also as " + token.name();
                throw new UsageException(name + ": given twice" + also + ": expected it once");
            }
        }
    }

    private List<Token> propertiesBeside(List<Token> line) throws UsageException {
        Set<OptionHandler<?>> mentioned = new HashSet<>();
        line.forEach(token -> mentioned.add(token.option()));
        List<Token> tokens = new ArrayList<>();
        for (OptionHandler<?> option : options()) {
            if (mentioned.contains(option)) {
                continue;
            }
            for (String name : names(option).filter(n -> n.startsWith("--")).toList()) {
                if (find(name) != option) {
                    continue;
                }
                String value = properties.apply(name.substring(2));
                if (value != null && value.contains("\ufffd")) {
                    throw new UsageException(
                            name + " " + value + ": expected a locale such as LC_ALL=C.UTF-8");
                }
                if (value != null) {
                    tokens.add(new Token(option, name, isFlag(option) ? flag(name, value) : value));
                    break;
                }
            }
        }
        return tokens;
    }

    private static String flag(String name, String value) throws UsageException {
        return switch (value) {
            case "", "true" -> "true";
            case "false" -> "false";
            default ->
                    throw new UsageException(
                            name + " " + value + ": expected true or false, or no value at all");
        };
    }

    private String unknown(String name) {
        List<String> known =
                options().stream()
                        .filter(option -> !option.option.hidden())
                        .flatMap(OptionParser::names)
                        .filter(other -> other.startsWith("--"))
                        .toList();
        return name
                + ": no such option, "
                + EditDistance.nearest(name, known)
                        .map(nearest -> "did you mean " + nearest + "?")
                        .orElse("--help lists them");
    }

    private static String missing(String name, OptionHandler<?> option) {
        String usage = option.option.usage();
        return name + ": a value is missing" + (usage.isEmpty() ? "" : " (" + usage + ")");
    }

    private OptionHandler<?> find(String name) {
        for (OptionHandler<?> option : options()) {
            if (names(option).anyMatch(name::equals)) {
                return option;
            }
        }
        return null;
    }

    private static boolean isFlag(OptionHandler<?> option) {
        return option instanceof BooleanOptionHandler;
    }

    private static Stream<String> names(OptionHandler<?> option) {
        NamedOptionDef named = (NamedOptionDef) option.option;
        return Stream.concat(Stream.of(named.name()), Arrays.stream(named.aliases()));
    }

    /** An option with its value, or, without an option, an argument. */
    private record Token(OptionHandler<?> option, String name, String value) implements Parameters {

        boolean off() {
            return option != null && isFlag(option) && value.equals("false");
        }

        Stream<String> words() {
            if (option == null) {
                return Stream.of(value);
            }
            return isFlag(option) ? Stream.of(name) : Stream.of(name, value);
        }

        @Override
        public String getParameter(int index) {
            return index < 0 ? name : value;
        }

        @Override
        public int size() {
            return 1;
        }
    }
}
