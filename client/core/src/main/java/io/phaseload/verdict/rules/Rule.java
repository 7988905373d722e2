package io.phaseload.verdict.rules;

import static io.phaseload.verdict.Finding.About.CLIENT;
import static io.phaseload.verdict.Finding.About.PLAN;
import static io.phaseload.verdict.Finding.About.SERVER;
import static io.phaseload.verdict.Verdict.Status.INVALID;
import static io.phaseload.verdict.Verdict.Status.SUSPECT;
import static io.phaseload.verdict.Verdict.Status.VALID;

import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Finding.About;
import io.phaseload.verdict.Verdict.Status;
import java.util.Locale;
import java.util.Optional;

/** All possible findings. The texts are in {@code rules.properties}; see {@link EvidenceText}. */
public enum Rule {
    STOPPED(SUSPECT, CLIENT),
    SUSPENDED(SUSPECT, CLIENT),
    THROTTLED(SUSPECT, CLIENT),
    STOLEN(SUSPECT, CLIENT),
    CPU(SUSPECT, CLIENT),
    GC(SUSPECT, CLIENT),
    CROWDED(SUSPECT, CLIENT),
    RUN_QUEUE(SUSPECT, CLIENT),
    STALLS(SUSPECT, CLIENT),
    LOOP_LAG(SUSPECT, CLIENT),
    TAIL(SUSPECT, CLIENT),
    CLIENT_SHARE(SUSPECT, CLIENT),
    USERS(SUSPECT, PLAN),
    FIRST_REQUESTS(SUSPECT, PLAN),
    LITTLES_LAW(SUSPECT, CLIENT),
    OFFERED_LOAD(SUSPECT, PLAN),
    POOL(VALID, PLAN),
    RESENT(VALID, SERVER),
    AGENT_DIFFERS(VALID, CLIENT),
    UNSTEADY(VALID, PLAN),
    TOO_SHORT(VALID, PLAN),
    CLIENT_LIMIT(SUSPECT, CLIENT),
    UNREACHABLE(INVALID, SERVER),
    NOTHING_SENT(INVALID, PLAN),
    NO_RESPONSE(INVALID, SERVER),
    NO_SUCCESS(INVALID, SERVER),
    INTERRUPTED(SUSPECT, PLAN),
    STEERED(VALID, PLAN),
    CLIENT_FAULT(INVALID, CLIENT),
    TARGET_COUNT(INVALID, SERVER),
    UNFINISHED(SUSPECT, CLIENT),
    AGENT_LOST(INVALID, CLIENT),
    INCOMPLETE(INVALID, CLIENT),
    /** For runs that an earlier version merged, which kept only the texts of reasons. */
    MERGED(SUSPECT, CLIENT);

    private static final FindingTexts TEXTS = new FindingTexts(Rule.class, "rules.properties");

    private final Status severity;
    private final About about;

    Rule(Status severity, About about) {
        this.severity = severity;
        this.about = about;
    }

    /**
     * The id of its findings.
     *
     * @return such as {@code run-queue}; the same in every version
     */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whom its findings concern. */
    public About about() {
        return about;
    }

    /**
     * The text of its findings.
     *
     * @return with its evidence in braces, and its nouns in brackets
     */
    public String pattern() {
        return TEXTS.get(id());
    }

    /** The title of several of its findings; empty if each stands for itself. */
    public String title() {
        return TEXTS.find(id() + ".title").orElse("");
    }

    /**
     * Makes a finding about the whole run.
     *
     * @param words of the run
     * @param evidence in the order of the text
     * @return the finding
     */
    public Finding finding(Wording words, Object... evidence) {
        return finding(words, Optional.empty(), evidence);
    }

    /**
     * Makes a finding about a phase; its text begins with the phase's name.
     *
     * @param words of the run
     * @param phase its name
     * @param evidence in the order of the text
     * @return the finding
     */
    public Finding in(Wording words, String phase, Object... evidence) {
        return finding(words, Optional.of(phase), evidence);
    }

    private Finding finding(Wording words, Optional<String> phase, Object... evidence) {
        EvidenceText filled = EvidenceText.of(words.text(pattern()), evidence);
        String text = phase.map(name -> name + ": " + filled.text()).orElse(filled.text());
        return new Finding(id(), severity, about, phase, filled.figures(), text);
    }
}
