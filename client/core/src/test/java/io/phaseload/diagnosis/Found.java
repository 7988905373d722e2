package io.phaseload.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.diagnosis.Diagnosis.Confidence;
import io.phaseload.diagnosis.evidence.PhaseSeries;
import io.phaseload.diagnosis.evidence.RunSeries;
import io.phaseload.diagnosis.rules.Diagnoses;
import io.phaseload.measure.Exchange.SetUp;
import io.phaseload.measure.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What is found in phases that a test makes up. */
final class Found {

    static final Outcome REFUSED = Outcome.NoResponse.CONNECT_REFUSED;
    static final Outcome TIMED_OUT = Outcome.NoResponse.READ_TIMEOUT;
    static final SetUp FAST = connect(0, 0.2, -1);

    static SetUp connect(double dnsMillis, double tcpMillis, double tlsMillis) {
        return new SetUp(nanos(dnsMillis), nanos(tcpMillis), tlsMillis < 0 ? -1 : nanos(tlsMillis));
    }

    private static long nanos(double millis) {
        return Math.round(millis * 1e6);
    }

    static Outcome http(int status) {
        return new Outcome.HttpFailure(status, "");
    }

    private static List<Diagnosis> of(MadeUpPhase... phases) {
        return Diagnoses.of(
                new RunSeries(Stream.of(phases).map(MadeUpPhase::series).toList(), false, false));
    }

    static Diagnosis only(MadeUpPhase... phases) {
        assertThat(of(phases)).hasSize(1);
        return of(phases).get(0);
    }

    static List<String> ids(MadeUpPhase... phases) {
        return of(phases).stream().map(Diagnosis::id).toList();
    }

    /** Of operations that read something which exists. */
    static List<String> ids(Set<String> given, PhaseSeries... phases) {
        return Diagnoses.of(new RunSeries(List.of(phases), false, false, true, Set.of(), given, given)).stream()
                .map(Diagnosis::id)
                .toList();
    }

    static Optional<Confidence> confidence(List<Diagnosis> found, String id) {
        return found.stream()
                .filter(one -> one.id().equals(id))
                .map(Diagnosis::confidence)
                .findFirst();
    }

    private Found() {}
}
