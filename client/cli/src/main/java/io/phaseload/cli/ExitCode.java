package io.phaseload.cli;

import io.phaseload.health.Verdict;
import io.phaseload.result.Result;

/** The exit codes of all commands. They are a contract: scripts read them. */
final class ExitCode {

    /** The run is over and its measurement is usable. */
    static final int PASSED = 0;

    /**
     * A fault of Phaseload's own, or of the machine that it runs on; standard error has the cause.
     */
    static final int INTERNAL_ERROR = 1;

    /** The command line is wrong; nothing was started. */
    static final int USAGE = 2;

    /** Not one whole response came. */
    static final int NOTHING_COMPLETED = 3;

    /** The verdict is INVALID. */
    static final int INVALID = 4;

    /** A figure is worse than a baseline's by more than is allowed, with confidence. */
    static final int REGRESSION = 5;

    /** The run was interrupted; what it had measured is written. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}

    static int of(Result result) {
        if (result.fault() != null) {
            return INTERNAL_ERROR;
        }
        if (result.interrupted()) {
            return INTERRUPTED;
        }
        if (result.totals().responses() == 0) {
            return NOTHING_COMPLETED;
        }
        return result.verdict().status() == Verdict.Status.INVALID ? INVALID : PASSED;
    }
}
