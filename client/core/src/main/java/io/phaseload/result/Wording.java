package io.phaseload.result;

import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Verdict;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The words for requests and their senders in a run: messages and pairs, if its plan is one of messages. Immutable. */
public final class Wording {

    /** As texts are written: requests of users. */
    public static final Wording REQUESTS = new Wording(Map.of(), Map.of());

    private static final Wording MESSAGES = new Wording(
            Map.of(
                    "request", "message",
                    "requests", "messages",
                    "Request", "Message",
                    "Requests", "Messages",
                    "user", "pair",
                    "users", "pairs",
                    "Users", "Pairs",
                    "-c", "--pairs"),
            Map.of(
                    "threads", "pairs",
                    "succeeded", "delivered",
                    "failed", "lost",
                    "Failed", "Lost",
                    "failed per second", "lost per second",
                    "failed (%)", "lost (%)",
                    "rps", "per s"));

    /** The operations of a plan of messages. */
    private static final Set<String> MESSAGE = Set.of("message");

    private static final Pattern WORD = Pattern.compile("(?<![\\w-])(?:-c|[A-Za-z]+)(?![\\w-])");

    private final Map<String, String> words;
    private final Map<String, String> headings;

    private Wording(Map<String, String> words, Map<String, String> headings) {
        this.words = words;
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
     * A text of ours; names that users have given don't belong in it.
     *
     * @param text written about requests and users
     * @return the same about what the run has in their place
     */
    public String text(String text) {
        return words.isEmpty() ? text : WORD.matcher(text).replaceAll(of -> words.getOrDefault(of.group(), of.group()));
    }

    /**
     * The heading of a column, or a unit.
     *
     * @param heading a few words, such as {@code failed}
     * @return the same in the run's words, such as {@code lost}
     */
    public String heading(String heading) {
        return headings.getOrDefault(heading, text(heading));
    }

    /**
     * The finding, in the run's words.
     *
     * @param verdict on a run
     * @return a copy that differs only in its findings' texts
     */
    public Verdict verdict(Verdict verdict) {
        return new Verdict(
                verdict.status(), verdict.findings().stream().map(this::finding).toList());
    }

    /** A phase's name stays as it is. */
    private Finding finding(Finding of) {
        String name = of.phase()
                .map(phase -> phase + ": ")
                .filter(of.text()::startsWith)
                .orElse("");
        return new Finding(
                of.id(),
                of.severity(),
                of.about(),
                of.phase(),
                of.evidence(),
                name + text(of.text().substring(name.length())));
    }
}
