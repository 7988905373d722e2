package io.phaseload.options;

import org.kohsuke.args4j.CmdLineParser;
import org.kohsuke.args4j.OptionDef;
import org.kohsuke.args4j.spi.Setter;

/** {@code --max-body 64k}: a size of 1 byte or more, for a {@code long} field. */
public final class SizeHandler extends QuantityHandler<Long> {

    /**
     * Makes one, as args4j does for a field that names this class.
     *
     * @param parser the parser it works for
     * @param option the option it reads
     * @param setter the field it sets
     */
    public SizeHandler(CmdLineParser parser, OptionDef option, Setter<? super Long> setter) {
        super(parser, option, setter);
    }

    @Override
    protected Long read(String text) {
        return Quantities.parseSize(text, 1);
    }

    @Override
    protected String print(Long size) {
        return Quantities.size(size);
    }
}
