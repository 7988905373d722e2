package io.phaseload.verdict.rules;

import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.Protocol;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The words for requests and their senders in a run: messages and pairs, if its plan is one of messages. */
public enum Wording {
    /** Requests of users. */
    REQUESTS(Map.of(), Map.of()),

    /** Messages of pairs. */
    MESSAGES(
            Map.of(
                    "request",
                    "message",
                    "requests",
                    "messages",
                    "user",
                    "pair",
                    "users",
                    "pairs",
                    "Users",
                    "Pairs",
                    "-c",
                    "--pairs"),
            Map.ofEntries(
                    Map.entry("user", "pair"),
                    Map.entry("users", "pairs"),
                    Map.entry("threads", "pairs"),
                    Map.entry("request", "message"),
                    Map.entry("requests", "messages"),
                    Map.entry("requests per second", "messages per second"),
                    Map.entry("of all requests", "of all messages"),
                    Map.entry("one request in", "one message in"),
                    Map.entry("in flight (requests)", "in flight (messages)"),
                    Map.entry("succeeded", "delivered"),
                    Map.entry("failed", "lost"),
                    Map.entry("Failed", "Lost"),
                    Map.entry("failed per second", "lost per second"),
                    Map.entry("failed (%)", "lost (%)"),
                    Map.entry("rps", "per s")));

    /** The operations of a plan of messages. */
    private static final Set<String> MESSAGE = Set.of("message");

    private static final Pattern NOUN = Pattern.compile("\\[(requests?|[Uu]sers?|-c)]");

    private final Map<String, String> nouns;
    private final Map<String, String> headings;

    Wording(Map<String, String> nouns, Map<String, String> headings) {
        this.nouns = nouns;
        this.headings = headings;
    }

    /**
     * The words for a plan.
     *
     * @param plan any
     * @return those for messages, if it has a plan's messages in place of requests
     */
    public static Wording of(Plan plan) {
        return plan.engine().protocol() instanceof Protocol.WebSocket ? MESSAGES : REQUESTS;
    }

    /**
     * The words for operations, where a plan isn't at hand. Requests are taken for messages if all that were sent are
     * called as a plan's messages are.
     *
     * @param operations their names
     * @return those for messages, if they are all there is
     */
    public static Wording of(Collection<String> operations) {
        return Set.copyOf(operations).equals(MESSAGE) ? MESSAGES : REQUESTS;
    }

    /**
     * Fills in the nouns of a text.
     *
     * @param pattern has {@code [request]}, {@code [requests]}, {@code [user]}, {@code [users]}, {@code [Users]} and
     *     {@code [-c]} where these depend on the run; names that users have given don't belong in it
     * @return the text with the run's nouns
     */
    public String text(String pattern) {
        return NOUN.matcher(pattern).replaceAll(of -> nouns.getOrDefault(of.group(1), of.group(1)));
    }

    /**
     * The heading of a column, or a unit.
     *
     * @param heading such as {@code failed}
     * @return the run's word for it, such as {@code lost}; the same if that doesn't depend on the run
     */
    public String heading(String heading) {
        return headings.getOrDefault(heading, heading);
    }
}
