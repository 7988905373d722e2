package io.phaseload.options;

import java.util.List;

/** A bean with more options than its own annotations declare. */
public interface MoreOptions {

    /**
     * The others.
     *
     * @return {@link OptionSpec}s, and beans whose annotations and own others count, too
     */
    List<?> more();
}
