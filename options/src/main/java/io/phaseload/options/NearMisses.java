package io.phaseload.options;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** Finds system properties and environment variables that look like misspelt options and would be ignored silently. */
public final class NearMisses {

    private static final String OWN = "PHASELOAD_";

    /** Shorter environment variables, such as NAME or URL, belong to other programs. */
    private static final int LEAST_OF_ENVIRONMENT = 6;

    private NearMisses() {}

    /**
     * A line for each near miss.
     *
     * @param options long names of options, such as {@code --threads}
     * @param properties names of system properties
     * @param environment names of environment variables, which are never read as options
     * @return lines for standard error, by name
     */
    public static List<String> lines(
            Collection<String> options, Collection<String> properties, Collection<String> environment) {
        List<String> known = options.stream().map(name -> name.substring(2)).toList();
        List<String> lines = new ArrayList<>();
        for (String name : new TreeSet<>(properties)) {
            // Those of the JVM and of Maven have dots.
            if (!name.contains(".") && !known.contains(name)) {
                nearest(name, known)
                        .ifPresent(near ->
                                lines.add("warning: -D%s: no such option, did you mean -D%s?".formatted(name, near)));
            }
        }
        for (String name : new TreeSet<>(environment)) {
            String meant = name.startsWith(OWN) ? name.substring(OWN.length()) : name;
            if (name.startsWith(OWN) || name.length() >= LEAST_OF_ENVIRONMENT) {
                nearest(meant, known)
                        .ifPresent(near -> lines.add(
                                ("warning: environment variable %s: is not read, did" + " you mean --%s or -D%s?")
                                        .formatted(name, near, near)));
            }
        }
        return lines;
    }

    private static Optional<String> nearest(String name, List<String> known) {
        String letters = letters(name);
        return known.stream()
                .filter(option -> {
                    int distance = EditDistance.between(letters, letters(option));
                    int length = Math.min(letters.length(), letters(option).length());
                    return distance == 0 || distance == 1 && length >= 4 || distance == 2 && length >= 8;
                })
                .min((a, b) -> EditDistance.between(letters, letters(a)) - EditDistance.between(letters, letters(b)));
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[_-]", "");
    }
}
