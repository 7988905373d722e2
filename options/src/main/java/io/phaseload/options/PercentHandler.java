package io.phaseload.options;

import java.math.BigDecimal;
import org.kohsuke.args4j.CmdLineParser;
import org.kohsuke.args4j.OptionDef;
import org.kohsuke.args4j.spi.Setter;

/** {@code --tolerance 5%}: a percentage from 0 to 100, for a {@link Double} field. */
public final class PercentHandler extends QuantityHandler<Double> {

    /**
     * Makes one, as args4j does for a field that names this class.
     *
     * @param parser the parser it works for
     * @param option the option it reads
     * @param setter the field it sets
     */
    public PercentHandler(CmdLineParser parser, OptionDef option, Setter<? super Double> setter) {
        super(parser, option, setter);
    }

    @Override
    protected Double read(String text) {
        return Quantities.parsePercent(text);
    }

    @Override
    protected String print(Double percent) {
        return BigDecimal.valueOf(percent).stripTrailingZeros().toPlainString() + "%";
    }
}
