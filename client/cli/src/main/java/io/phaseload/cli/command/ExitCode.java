package io.phaseload.cli.command;

import io.phaseload.result.Result;
import io.phaseload.result.ThresholdResult;
import io.phaseload.result.ThresholdResult.Outcome;
import io.phaseload.verdict.Verdict;

/** The exit codes of all commands. They are a contract: scripts read them. */
public final class ExitCode {

    /** The run finished, its measurement is usable, and all thresholds held. */
    public static final int PASSED = 0;

    /** A fault in Phaseload or in the machine it runs on; standard error has the cause. */
    public static final int INTERNAL_ERROR = 1;

    /** The command line is wrong, or a check of the doctor's failed; nothing was started. */
    public static final int USAGE = 2;

    /** Not one request succeeded. */
    public static final int NOTHING_SUCCEEDED = 3;

    /** The verdict is INVALID. */
    public static final int INVALID = 4;

    /** A figure is worse than the baseline by more than allowed, with confidence. */
    public static final int REGRESSION = 5;

    /** No threshold failed, and one is undecided: the interval of its figure reaches over the limit. */
    public static final int UNDECIDED = 6;

    /** A threshold of a valid measurement failed, or its figure wasn't measured. */
    public static final int THRESHOLD_FAILED = 99;

    /** The run was interrupted; what it had measured until then is written. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}

    /**
     * The most severe outcome: thresholds say nothing about a run that was cut short, in which nothing succeeded, or
     * whose figures can't be used. A run that a threshold ended was not interrupted.
     */
    public static int of(Result result) {
        if (result.fault().isPresent()) {
            return INTERNAL_ERROR;
        }
        boolean aborted = result.thresholds().stream().anyMatch(ThresholdResult::aborted);
        if (result.interrupted() && !aborted) {
            return INTERRUPTED;
        }
        if (result.totals().succeeded() == 0) {
            return NOTHING_SUCCEEDED;
        }
        return ofStored(result);
    }

    /** For a stored result: how its run ended is no failure of this command. */
    public static int ofStored(Result result) {
        return result.verdict().status() == Verdict.Status.INVALID ? INVALID : ofThresholds(result);
    }

    private static int ofThresholds(Result result) {
        if (result.thresholds().stream().anyMatch(of -> of.outcome() == Outcome.FAIL)) {
            return THRESHOLD_FAILED;
        }
        return result.thresholds().stream().allMatch(ThresholdResult::passed) ? PASSED : UNDECIDED;
    }
}
