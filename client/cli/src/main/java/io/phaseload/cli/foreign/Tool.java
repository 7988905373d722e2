package io.phaseload.cli.foreign;

import java.util.List;
import java.util.Locale;

/** The tools whose lines are understood without a command, the likeliest first. */
enum Tool {
    HEY(true, "--threads=50", "--total=200"),
    OHA(true, "--threads=50", "--total=200"),
    WRK(false, "--threads=10", "--duration=10s"),
    WRK2(false, "--threads=10", "--duration=10s"),
    AB(false, "--threads=1", "--total=1"),
    K6(true, "--threads=1", "--total=1"),
    /** Without a duration, an attack has no end. */
    VEGETA(true, "--rate=50/s");

    private final boolean followsRedirects;
    private final List<String> defaults;

    Tool(boolean followsRedirects, String... defaults) {
        this.followsRedirects = followsRedirects;
        this.defaults = List.of(defaults);
    }

    /** The name of its set of options, and of the sections of the table that hold for it. */
    String section() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean followsRedirects() {
        return followsRedirects;
    }

    /** Its defaults, as our options. */
    List<String> defaults() {
        return defaults;
    }
}
