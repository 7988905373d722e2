package io.phaseload.verdict.rules;

import static io.phaseload.verdict.Finding.About.CLIENT;
import static io.phaseload.verdict.Finding.About.PLAN;
import static io.phaseload.verdict.Finding.About.SERVER;
import static io.phaseload.verdict.Verdict.Status.INVALID;
import static io.phaseload.verdict.Verdict.Status.SUSPECT;
import static io.phaseload.verdict.Verdict.Status.VALID;

import io.phaseload.verdict.Finding;
import io.phaseload.verdict.Finding.About;
import io.phaseload.verdict.OwnShare;
import io.phaseload.verdict.Verdict.Status;
import java.util.Locale;
import java.util.Optional;

/** All possible findings. Each text has its evidence in braces; see {@link EvidenceText}. */
public enum Rule {
    STOPPED(
            SUSPECT,
            CLIENT,
            "the client was stopped for {stoppedSeconds:%.1f} s, by Ctrl-Z or along with its machine."
                    + " Run it again without a stop."),
    SUSPENDED(
            SUSPECT,
            CLIENT,
            "the client's machine was suspended for {suspendedSeconds:%.1f} s. Use one that stays" + " awake."),
    THROTTLED(
            SUSPECT,
            CLIENT,
            "{throttledSeconds:%.1f} s were lost to the CPU limit of the client's control group"
                    + " (container). Raise the limit, or use fewer users or a lower rate."),
    STOLEN(
            SUSPECT,
            CLIENT,
            "{stolenPercent:%.0f} % of the machine's CPU time went to other virtual machines"
                    + " (steal). Use a machine with dedicated CPUs."),
    CPU(
            SUSPECT,
            CLIENT,
            "the client used {cpuPercent:%.0f} % of {cores:%d} cores, so latencies include"
                    + " waiting for a CPU. Use fewer users, a lower rate or more cores."),
    GC(
            SUSPECT,
            CLIENT,
            "GC pauses took {gcPercent:%.0f} % of the time. Give the client more memory, such as" + " -Xmx2g."),
    CROWDED(
            SUSPECT,
            CLIENT,
            "other processes used {othersPercent:%.0f} % of the machine's CPU time, and"
                    + " {idlePercent:%.0f} % was idle. Stop them, or run the client on another"
                    + " machine."),
    RUN_QUEUE(
            SUSPECT,
            CLIENT,
            "the client's threads waited {waitMs:%.1f} ms for a CPU each time they woke up; the"
                    + " median request took {medianServiceMs:%.1f} ms. Stop other processes, or"
                    + " use fewer users or more cores."),
    STALLS(
            SUSPECT,
            CLIENT,
            "the client couldn't run for {stalledPercent:%.0f} % of the time: {stalls:%d} stalls"
                    + " of up to {longestMs:%.0f} ms. Stop other processes, or use more cores."),
    LOOP_LAG(
            SUSPECT,
            CLIENT,
            "an event loop lagged by up to {longestMs:%.0f} ms, and for {latePercent:%.0f} % of"
                    + " the time. Use fewer users, a lower rate, or more --loops on more cores."),
    TAIL(
            SUSPECT,
            CLIENT,
            "{stalledPercent:%.0f} % of the requests above p{percentile:%d} overlap a stall of"
                    + " the client. Stop other processes, or use more cores."),
    CLIENT_SHARE(
            SUSPECT,
            CLIENT,
            "up to {" + OwnShare.PERCENT + ":%.0f} % of a response time's figure, {" + OwnShare.MILLIS
                    + ":%.3f} ms, may be"
                    + " the client's own ({figures}): {cause}. Stop other processes, or"
                    + " use fewer users or more cores."),
    USERS(
            SUSPECT,
            PLAN,
            "only {tookPart:%d} of {users:%d} users sent a request. Use fewer users, a longer"
                    + " phase, --ramp or --connect-rate."),
    FIRST_REQUESTS(
            SUSPECT,
            PLAN,
            "{beforePercent:%.0f} % of the users' time passed before their first requests:"
                    + " {connectingPercent:%.0f} % connecting, {unscheduledPercent:%.0f} %"
                    + " waiting for a CPU. Use fewer users, a longer phase, --ramp or"
                    + " --connect-rate."),
    LITTLES_LAW(
            SUSPECT,
            CLIENT,
            "{missingPercent:%.0f} % of the users' time is unaccounted for: on average"
                    + " {atWork:%.0f} of {users:%d} users were active, the others waited for the"
                    + " client. Use fewer users or more cores."),
    OFFERED_LOAD(
            SUSPECT,
            PLAN,
            "{notSent:%d} of {intended:%d} requests ({notSentPercent:%.1f} %) weren't sent, and 1"
                    + " % of the others were at least {p99SlipSeconds:%.3f} s late. {why}"),
    POOL(
            VALID,
            PLAN,
            "{leasePercent:%.0f} % of the response times was waiting for a connection of the client's"
                    + " pool, {leaseMs:%.1f} of {responseMs:%.1f} ms on average: they tell of your"
                    + " client's pool, not of the server. Use a larger --pool, or fewer users."),
    RESENT(
            VALID,
            SERVER,
            "{resent:%d} requests were sent again after their connection had ended without a"
                    + " response. The server may have read them before, so a crash may look like a"
                    + " success. Leave out --resend-idle and --pipeline, or use --engine events on Linux, to"
                    + " see each failure."),
    AGENT_DIFFERS(
            VALID,
            CLIENT,
            "agent {agent} differs from the others: each second its median response time is"
                    + " {p50Percent:%.0f} % of theirs, its rate {ratePercent:%.0f} %. Compare its"
                    + " machine and its network with theirs; the percentiles of all are those of a"
                    + " mixture."),
    TOO_SHORT(
            VALID, PLAN, "{phases}: too short to judge how busy the client was. Use phases of a second or" + " more."),
    CLIENT_LIMIT(
            SUSPECT,
            CLIENT,
            "{failed:%d} of {requests:%d} requests failed at the client itself ({cause}). Raise"
                    + " that limit, or use fewer users."),
    UNREACHABLE(
            INVALID,
            SERVER,
            "No connection could be made in the first 5 s ({causes}). Check the address, and that"
                    + " the target runs; --keep-going waits for it."),
    NOTHING_SENT(INVALID, PLAN, "No request was sent. Use longer phases or a higher rate."),
    NO_RESPONSE(INVALID, SERVER, "No complete response was received. See the failures by cause."),
    NO_SUCCESS(INVALID, SERVER, "No request succeeded, so the times are those of failures. See the failures by cause."),
    INTERRUPTED(SUSPECT, PLAN, "{what}, so phases are incomplete or missing. Run it to its end for complete figures."),
    CLIENT_FAULT(INVALID, CLIENT, "The client itself failed: {fault}"),
    TARGET_COUNT(
            INVALID,
            SERVER,
            "The target counted {counted:%d} requests; the client sent {sent:%d} and got"
                    + " {responses:%d} responses. Make sure that nobody else uses the target."),
    UNFINISHED(
            SUSPECT,
            CLIENT,
            "INCOMPLETE: the run ended before its result was written. The figures come from" + " {files} alone."),
    AGENT_LOST(
            INVALID,
            CLIENT,
            "agent {agent} was lost: {why}. The last second that it told of ended"
                    + " {lastSeconds:%.1f} s after its run began: {missingSeconds:%.1f} s of its load are"
                    + " missing, about {missingRequests:%d} requests. Run it again."),
    INCOMPLETE(INVALID, CLIENT, "INCOMPLETE: {what}. Copy the folder again, or repeat the run."),
    /** For runs that an earlier version merged, which kept only the texts of reasons. */
    MERGED(SUSPECT, CLIENT, "{reason}");

    private final Status severity;
    private final About about;
    private final String pattern;

    Rule(Status severity, About about, String pattern) {
        this.severity = severity;
        this.about = about;
        this.pattern = pattern;
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
     * @return with its evidence in braces
     */
    public String pattern() {
        return pattern;
    }

    /**
     * Makes a finding about the whole run.
     *
     * @param evidence in the order of the text
     * @return the finding
     */
    public Finding finding(Object... evidence) {
        return finding(Optional.empty(), evidence);
    }

    /**
     * Makes a finding about a phase; its text begins with the phase's name.
     *
     * @param phase its name
     * @param evidence in the order of the text
     * @return the finding
     */
    public Finding in(String phase, Object... evidence) {
        return finding(Optional.of(phase), evidence);
    }

    private Finding finding(Optional<String> phase, Object... evidence) {
        EvidenceText filled = EvidenceText.of(pattern, evidence);
        String text = phase.map(name -> name + ": " + filled.text()).orElse(filled.text());
        return new Finding(id(), severity, about, phase, filled.figures(), text);
    }
}
