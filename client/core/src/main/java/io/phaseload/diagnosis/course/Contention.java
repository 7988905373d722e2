package io.phaseload.diagnosis.course;

import io.phaseload.diagnosis.Diagnosis;
import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.Claim;
import io.phaseload.stats.ScalabilityFit;
import io.phaseload.stats.ScalabilityLaw;
import io.phaseload.verdict.Finding.About;
import java.util.Optional;

/** Steps of a sweep whose throughput nears a limit, as if a part of the work were serial. */
public final class Contention {

    /** Its finding; a single run can't show it. */
    public static final Claim CLAIM = new Claim(
            "contention",
            About.SERVER,
            "{serialPercent:%.1f} % of the work ({lowPercent:%.1f} to {highPercent:%.1f} %) is as"
                    + " if only one could do it at a time, so the throughput can't exceed about"
                    + " {limitPerSecond:%.0f} requests a second, however many users there are.",
            "If the server's CPU is busy, that is the limit. If it is idle, look for a lock, a"
                    + " single thread or one shared connection: a thread dump under load (jcmd PID"
                    + " Thread.print) shows where requests wait.",
            "In a sweep over the users, the lower end of the interval of the Universal Scalability"
                    + " Law's contention, times the most users, is 1 or more: half of what these"
                    + " users could do is lost to it. The law explains at least 80 % of the"
                    + " throughput's variance.");

    private Contention() {}

    /** Judges the law that was fitted to a sweep. */
    public static Optional<Diagnosis> judge(ScalabilityFit fit) {
        ScalabilityLaw law = fit.law();
        double low = fit.sigma().low();
        if (fit.isPoor() || low * (fit.mostUsers() - 1) < 1) {
            return Optional.empty();
        }
        return Optional.of(CLAIM.ofRun(
                Confidence.POSSIBLE,
                law.sigma() * (fit.mostUsers() - 1) / fit.mostUsers(),
                law.sigma() * 100,
                low * 100,
                fit.sigma().high() * 100,
                law.lambda() / law.sigma()));
    }
}
