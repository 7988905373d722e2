package io.phaseload.options;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Finds system properties and variables of the environment that look like options and would be ignored silently. */
public final class NearMisses {

    /** Variables that are read, but not as options. */
    private static final Set<String> READ = Set.of("PHASELOAD_JAVA_OPTS", "PHASELOAD_CLUSTER_SECRET");

    /** Kubernetes sets these in every container beside a service whose name begins with "phaseload". */
    private static final String OF_A_SERVICE =
            OptionSpec.PREFIX + "(?:.*_)?(?:SERVICE_(?:HOST|PORT.*)|PORT(?:_\\d+_(?:TCP|UDP).*)?)";

    private NearMisses() {}

    /**
     * A line for each of them.
     *
     * @param options of all commands; they aren't asked for if nothing looks like an option
     * @param properties names of system properties
     * @param environment names of variables
     * @return lines for standard error, by name
     */
    public static List<String> lines(
            Supplier<List<OptionSpec>> options, Collection<String> properties, Collection<String> environment) {
        Set<String> likeProperties = new TreeSet<>(properties);
        // Those of the JVM and of Maven have dots.
        likeProperties.removeIf(name -> name.contains("."));
        Set<String> likeVariables = new TreeSet<>(environment);
        likeVariables.removeIf(
                name -> !name.startsWith(OptionSpec.PREFIX) || READ.contains(name) || name.matches(OF_A_SERVICE));
        if (likeProperties.isEmpty() && likeVariables.isEmpty()) {
            return List.of();
        }
        List<OptionSpec> all =
                options.get().stream().filter(option -> !option.isArgument()).toList();
        List<String> lines = new ArrayList<>();
        List<String> known =
                all.stream().map(option -> option.name().substring(2)).toList();
        likeProperties.removeAll(known);
        for (String name : likeProperties) {
            EditDistance.nearest(name, known)
                    .ifPresent(near ->
                            lines.add("warning: -D%s: no such option, did you mean -D%s?".formatted(name, near)));
        }
        List<String> variables = all.stream().map(OptionSpec::variable).toList();
        likeVariables.removeAll(variables);
        for (String name : likeVariables) {
            lines.add("warning: %s: no such option%s"
                    .formatted(
                            name,
                            EditDistance.nearest(name.substring(OptionSpec.PREFIX.length()), known)
                                    .map(near -> ", did you mean " + variables.get(known.indexOf(near)) + "?")
                                    .orElse("")));
        }
        return lines;
    }
}
