package io.phaseload.measure;

import io.phaseload.measure.times.Times;
import io.phaseload.timing.InstanceState;
import io.phaseload.timing.InstanceTimings;
import io.phaseload.timing.Timing;

/** Adds the times that samples have to those of a tally. */
final class SampleTimes {

    private SampleTimes() {}

    static void add(Sample sample, Times times) {
        Exchange exchange = sample.exchange();
        Outcome outcome = exchange.outcome();
        times.record(Timing.RESPONSE, sample.responseNanos());
        times.record(Timing.SERVICE, sample.serviceNanos());
        times.record(Timing.SLIP, sample.slipNanos());
        if (!(outcome instanceof Outcome.Success)) {
            times.record(Timing.FAILED, sample.responseNanos());
        }
        if (exchange.leaseNanos() >= 0) {
            times.record(Timing.LEASE, exchange.leaseNanos());
        }
        if (sample.stalled()) {
            times.record(Timing.STALLED, sample.responseNanos());
        }
        if (sample.ownNanos() >= 0) {
            times.record(Timing.WATCHED, sample.responseNanos());
            times.record(Timing.CLEARED, sample.responseNanos() - sample.ownNanos());
        }
        if (exchange.timeToFirstByteNanos() >= 0) {
            times.record(Timing.FIRST_BYTE, exchange.timeToFirstByteNanos());
            if (outcome.responded()) {
                times.record(Timing.TRANSFER, sample.serviceNanos() - exchange.timeToFirstByteNanos());
            }
        }
        if (exchange.setUp() != null) {
            add(exchange.setUp(), times);
        }
        if (exchange.instance() != null && exchange.instance() != InstanceState.WARM) {
            times.record(InstanceTimings.COLD_START, sample.responseNanos());
        }
    }

    static void add(Exchange.SetUp setUp, Times times) {
        times.record(Timing.SET_UP, setUp.nanos());
        if (setUp.lookUpNanos() >= 0) {
            times.record(Timing.DNS, setUp.lookUpNanos());
        }
        times.record(Timing.TCP, setUp.connectNanos());
        if (setUp.tlsNanos() >= 0) {
            times.record(Timing.TLS, setUp.tlsNanos());
        }
    }
}
