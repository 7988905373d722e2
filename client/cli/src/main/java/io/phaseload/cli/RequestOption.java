package io.phaseload.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A request of the command line, such as {@code --post /items}, with the options that follow it.
 *
 * @param option as it was given
 * @param path as it was given
 * @param body {@code null} if {@code --body} doesn't follow
 * @param checks {@code null} if {@code --expect} doesn't follow
 * @param metrics those of {@code --metric}, to which more can be added
 */
record RequestOption(String option, String path, String body, String checks, List<String> metrics) {

    /** All of them; each is named after its method. */
    static final Set<String> NAMES =
            Set.of("--get", "--post", "--put", "--patch", "--delete", "--head", "--options");

    private static final Set<String> WITH_CONTENT = Set.of("POST", "PUT", "PATCH");

    private static final Set<String> WITHOUT_CONTENT = Set.of("GET", "HEAD");

    RequestOption(String option, String path) {
        this(option, path, null, null, new ArrayList<>());
    }

    String method() {
        return option.substring(2).toUpperCase(Locale.ROOT);
    }

    /** Whether it has a body even if none is given. */
    boolean hasContent() {
        return usuallyHasContent(method());
    }

    /** Whether it can be given a body: RFC 9110 §9.3 has no use for one of GET or HEAD. */
    boolean takesContent() {
        return !WITHOUT_CONTENT.contains(method());
    }

    static boolean usuallyHasContent(String method) {
        return WITH_CONTENT.contains(method);
    }

    RequestOption withBody(String newBody) {
        return new RequestOption(option, path, newBody, checks, metrics);
    }

    RequestOption withChecks(String newChecks) {
        return new RequestOption(option, path, body, newChecks, metrics);
    }
}
