package io.phaseload.options;

import org.kohsuke.args4j.CmdLineParser;
import org.kohsuke.args4j.OptionDef;
import org.kohsuke.args4j.spi.Setter;

/** {@code --threads 10k}: a whole number of 1 or more, for an {@code int} or {@code long} field. */
public class CountHandler extends QuantityHandler<Number> {

    private final long least;

    /**
     * Makes one, as args4j does for a field that names this class.
     *
     * @param parser the parser it works for
     * @param option the option it reads
     * @param setter the field it sets
     */
    public CountHandler(CmdLineParser parser, OptionDef option, Setter<? super Number> setter) {
        this(parser, option, setter, 1);
    }

    private CountHandler(CmdLineParser parser, OptionDef option, Setter<? super Number> setter, long least) {
        super(parser, option, setter);
        this.least = least;
    }

    @Override
    protected final Number read(String text) {
        Class<?> field = setter.getType();
        if (field == int.class || field == Integer.class) {
            return Quantities.parseInt(text, least);
        }
        return Quantities.parseCount(text, least);
    }

    /** The same, with 0 allowed. */
    public static final class FromZero extends CountHandler {

        /**
         * Makes one, as args4j does for a field that names this class.
         *
         * @param parser the parser it works for
         * @param option the option it reads
         * @param setter the field it sets
         */
        public FromZero(CmdLineParser parser, OptionDef option, Setter<? super Number> setter) {
            super(parser, option, setter, 0);
        }
    }
}
