package io.phaseload.options;

import org.kohsuke.args4j.CmdLineException;
import org.kohsuke.args4j.CmdLineParser;
import org.kohsuke.args4j.OptionDef;
import org.kohsuke.args4j.spi.OptionHandler;
import org.kohsuke.args4j.spi.Parameters;
import org.kohsuke.args4j.spi.Setter;

/**
 * An option whose value is read by {@link Quantities}. The parser puts the option and the value in front of its
 * "expected …".
 *
 * @param <T> the type of the value
 */
public abstract class QuantityHandler<T> extends OptionHandler<T> {

    /**
     * Makes one, as args4j does for a field that names this class.
     *
     * @param parser the parser it works for
     * @param option the option it reads
     * @param setter the field it sets
     */
    protected QuantityHandler(CmdLineParser parser, OptionDef option, Setter<? super T> setter) {
        super(parser, option, setter);
    }

    /**
     * Reads a value.
     *
     * @param text the text
     * @return the value
     * @throws IllegalArgumentException with the expected format as its message
     */
    protected abstract T read(String text);

    @Override
    public final int parseArguments(Parameters parameters) throws CmdLineException {
        setter.addValue(read(parameters.getParameter(0)));
        return 1;
    }

    @Override
    public String getDefaultMetaVariable() {
        return "N";
    }
}
