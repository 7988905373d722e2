package io.phaseload.options;

import java.time.Duration;
import org.kohsuke.args4j.CmdLineParser;
import org.kohsuke.args4j.OptionDef;
import org.kohsuke.args4j.spi.Setter;

/** {@code --timeout 250ms}: a time above 0, for a {@link Duration} field. */
public class DurationHandler extends QuantityHandler<Duration> {

    private final boolean zeroAllowed;

    /**
     * Makes one, as args4j does for a field that names this class.
     *
     * @param parser the parser it works for
     * @param option the option it reads
     * @param setter the field it sets
     */
    public DurationHandler(CmdLineParser parser, OptionDef option, Setter<? super Duration> setter) {
        this(parser, option, setter, false);
    }

    private DurationHandler(
            CmdLineParser parser, OptionDef option, Setter<? super Duration> setter, boolean zeroAllowed) {
        super(parser, option, setter);
        this.zeroAllowed = zeroAllowed;
    }

    @Override
    protected final Duration read(String text) {
        return Quantities.parseDuration(text, zeroAllowed);
    }

    @Override
    protected final String print(Duration time) {
        return Quantities.time(time);
    }

    /** The same, with {@code 0s} allowed. */
    public static final class OrZero extends DurationHandler {

        /**
         * Makes one, as args4j does for a field that names this class.
         *
         * @param parser the parser it works for
         * @param option the option it reads
         * @param setter the field it sets
         */
        public OrZero(CmdLineParser parser, OptionDef option, Setter<? super Duration> setter) {
            super(parser, option, setter, true);
        }
    }
}
