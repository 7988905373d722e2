package io.phaseload.httpclient;

import io.phaseload.measure.Cause;
import io.phaseload.measure.Outcome;

/** No connection of the client's pool became free within the lease timeout. */
record LeaseTimeout() implements Outcome.OfProtocol {
    @Override
    public Cause cause() {
        return Cause.LEASE_TIMEOUT;
    }

    @Override
    public String detail() {
        return "no connection of the client's pool became free within the lease timeout";
    }

    @Override
    public boolean censored() {
        return true;
    }
}
