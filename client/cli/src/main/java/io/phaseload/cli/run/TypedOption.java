package io.phaseload.cli.run;

import io.phaseload.settings.Kind;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.kohsuke.args4j.CmdLineException;
import org.kohsuke.args4j.CmdLineParser;
import org.kohsuke.args4j.Option;
import org.kohsuke.args4j.OptionDef;
import org.kohsuke.args4j.spi.BooleanOptionHandler;
import org.kohsuke.args4j.spi.FieldSetter;
import org.kohsuke.args4j.spi.OptionHandler;
import org.kohsuke.args4j.spi.Parameters;
import org.kohsuke.args4j.spi.Setter;

/**
 * An option that isn't declared by a field, and whose value is kept as it was typed.
 *
 * @param name such as {@code --threads}
 * @param aliases such as {@code -c}
 * @param usage what a value looks like
 * @param type a flag, which has no value; a list, which may be repeated; or any other
 * @param given gets the name as it was typed, and the value
 */
record TypedOption(String name, List<String> aliases, String usage, Kind.Type type, BiConsumer<String, String> given)
        implements Setter<Object> {

    void addTo(CmdLineParser parser) {
        Map<String, Object> values = Map.of(
                "name",
                name,
                "aliases",
                aliases.toArray(String[]::new),
                "usage",
                usage,
                "handler",
                type == Kind.Type.FLAG ? BooleanOptionHandler.class : AsTyped.class);
        parser.addOption(this, (Option) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Option.class},
                (proxy, method, arguments) -> values.getOrDefault(method.getName(), method.getDefaultValue())));
    }

    /** Called for a flag; for all others, {@link AsTyped} knows the name that was typed. */
    @Override
    public void addValue(Object value) {
        given.accept(name, value.toString());
    }

    @Override
    public Class<Object> getType() {
        return Object.class;
    }

    @Override
    public boolean isMultiValued() {
        return type == Kind.Type.LIST;
    }

    @Override
    public FieldSetter asFieldSetter() {
        return null;
    }

    @Override
    public AnnotatedElement asAnnotatedElement() {
        return null;
    }

    /** Hands on a value with the name that it was typed with. */
    public static final class AsTyped extends OptionHandler<Object> {

        /**
         * Makes one, as args4j does.
         *
         * @param parser the parser it works for
         * @param option the option it reads
         * @param setter where the value goes
         */
        public AsTyped(CmdLineParser parser, OptionDef option, Setter<? super Object> setter) {
            super(parser, option, setter);
        }

        @Override
        public int parseArguments(Parameters parameters) throws CmdLineException {
            Setter<?> to = setter;
            ((TypedOption) to).given().accept(parameters.getParameter(-1), parameters.getParameter(0));
            return 1;
        }

        @Override
        public String getDefaultMetaVariable() {
            return "N";
        }
    }
}
