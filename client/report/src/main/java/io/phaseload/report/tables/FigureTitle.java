package io.phaseload.report.tables;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The name of a client's figure on a page: its name in words, and its unit. */
public final class FigureTitle {

    /** Those that end in another one come first. */
    private static final Map<String, String> UNITS = new LinkedHashMap<>();

    private static final Set<String> ACRONYMS = Set.of("cpu", "gc", "io", "rtt", "syn", "tcp");

    static {
        UNITS.put("MsPerSecond", "ms/s");
        UNITS.put("MbitPerSecond", "Mbit/s");
        UNITS.put("PerSecond", "1/s");
        UNITS.put("Percent", "%");
        UNITS.put("MiB", "MiB");
        UNITS.put("Ms", "ms");
    }

    private FigureTitle() {}

    /**
     * A figure's title.
     *
     * @param name as in results, such as {@code tcpSynRetransmitsPerSecond}
     * @return such as {@code TCP SYN retransmits (1/s)}
     */
    public static String of(String name) {
        return suffix(name)
                .map(end -> words(name.substring(0, name.length() - end.length())) + " (" + UNITS.get(end) + ")")
                .orElse(words(name));
    }

    /** {@code tcpSynRetransmitsPerSecond} is in {@code 1/s}; empty of a number of something. */
    static String unit(String name) {
        return suffix(name).map(UNITS::get).orElse("");
    }

    private static Optional<String> suffix(String name) {
        return UNITS.keySet().stream().filter(name::endsWith).findFirst();
    }

    private static String words(String name) {
        return Stream.of(name.split("(?=[A-Z])"))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .map(word -> ACRONYMS.contains(word) ? word.toUpperCase(Locale.ROOT) : word)
                .collect(Collectors.joining(" "));
    }
}
