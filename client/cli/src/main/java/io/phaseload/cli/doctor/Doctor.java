package io.phaseload.cli.doctor;

import io.phaseload.cli.doctor.checks.AddressChecks;
import io.phaseload.cli.doctor.checks.CheckOutcome;
import io.phaseload.cli.doctor.checks.ConnectionChecks;
import io.phaseload.cli.doctor.checks.CpuChecks;
import io.phaseload.cli.doctor.checks.LimitChecks;
import io.phaseload.cli.doctor.checks.Planned;
import io.phaseload.cli.doctor.facts.Ceiling;
import io.phaseload.cli.doctor.facts.Machine;
import io.phaseload.cli.doctor.facts.Probe;
import io.phaseload.cli.doctor.facts.Quiet;
import io.phaseload.cli.doctor.facts.TargetReachability;
import io.phaseload.cli.doctor.facts.TlsFacts;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.Protocol;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Reads the facts and has each check judge them, in an order that reads well. */
final class Doctor {

    /** How long the ceiling is measured. */
    private static final Duration CEILING = Duration.ofSeconds(1);

    private final Planned planned;
    private final int probe;
    private final Consumer<CheckLine> lines;

    /**
     * Not at work yet.
     *
     * @param probe the number of users that may send requests to the target; 0 for none
     * @param lines gets each line as soon as it is known
     */
    Doctor(Planned planned, int probe, Consumer<CheckLine> lines) {
        this.planned = planned;
        this.probe = probe;
        this.lines = lines;
    }

    private void say(String id, CheckOutcome outcome) {
        lines.accept(new CheckLine(id, outcome));
    }

    private <T> void say(String id, Optional<T> fact, BiFunction<Planned, T, CheckOutcome> check, CheckOutcome none) {
        say(id, fact.map(known -> check.apply(planned, known)).orElse(none));
    }

    /** Takes about five seconds, and as much more as the target takes. */
    void examine() throws InterruptedException {
        Machine machine = Machine.read();
        say("open-files", LimitChecks.openFiles(planned, machine));
        say("local-ports", LimitChecks.localPorts(planned, machine.settings()));
        say("cpu-quota", CpuChecks.quota(machine));
        say("cpu-governor", CpuChecks.governor(machine.settings()));
        say("clock-source", CpuChecks.clockSource(machine));
        Quiet quiet = Quiet.measure();
        say("run-queue", CpuChecks.runQueue(quiet));
        say("hiccups", CpuChecks.hiccups(quiet));
        Optional<String> noWay = noWay();
        Optional<TargetReachability> way = noWay.isPresent()
                ? Optional.empty()
                : Optional.of(TargetReachability.to(planned.plan().target()));
        boolean here =
                planned.ownTarget() || way.filter(TargetReachability::isHere).isPresent();
        say("same-host", CpuChecks.sameHost(planned, here));
        say("accept-queue", LimitChecks.acceptQueue(planned, machine.settings(), here));
        say("proxy", AddressChecks.proxyVariables(planned, System.getenv(), here));
        target(way, new CheckOutcome.Skip(noWay.orElse("the target takes no connection")));
        say(
                "client-ceiling",
                planned.messages()
                        ? new CheckOutcome.Skip("it is measured in requests, and the plan has messages")
                        : LimitChecks.clientCeiling(planned, ceiling(machine)));
    }

    private Optional<String> noWay() {
        if (planned.ownTarget()) {
            return Optional.of("the run starts its target itself");
        }
        if (planned.direct()) {
            return Optional.empty();
        }
        return Optional.of(
                planned.byProxy() ? "requests go by way of the plan's proxy" : "the plan says where connections go");
    }

    private void target(Optional<TargetReachability> way, CheckOutcome none) {
        Plan plan = planned.plan();
        say("host-name", way, AddressChecks::hostName, none);
        say("addresses", way, AddressChecks::addresses, none);
        CheckOutcome tls = way.flatMap(TargetReachability::reachable)
                .filter(address -> plan.target().tls())
                .map(address -> TlsFacts.with(plan.target(), address, applications(plan)))
                .map(handshake -> ConnectionChecks.tls(planned, handshake, Instant.now()))
                .orElse(plan.target().tls() ? none : new CheckOutcome.Skip("the plan uses no TLS"));
        say("tls", tls);
        probe(way, tls, none);
    }

    private void probe(Optional<TargetReachability> way, CheckOutcome tls, CheckOutcome none) {
        boolean reachable = way.isPresent()
                ? way.get().reachable().isPresent() && !(tls instanceof CheckOutcome.Fail)
                : !planned.direct();
        if (probe == 0 || !reachable || planned.messages()) {
            CheckOutcome skip = reachable ? new CheckOutcome.Skip(unprobed()) : none;
            say("keep-alive", skip);
            say("connection-limit", skip);
            return;
        }
        Optional<Probe> probed = Probe.of(planned.plan(), Math.min(probe, planned.users()));
        CheckOutcome harmful = new CheckOutcome.Skip("the plan has no GET, HEAD or OPTIONS outside of journeys to try");
        say("keep-alive", probed, ConnectionChecks::keepAlive, harmful);
        say("connection-limit", probed, ConnectionChecks::connectionLimit, harmful);
    }

    private String unprobed() {
        return planned.messages()
                ? "it takes requests, and the plan has messages"
                : "it takes requests to the target: --probe N allows them";
    }

    private static String[] applications(Plan plan) {
        return plan.engine().protocol() instanceof Protocol.Http2
                ? new String[] {ConnectionChecks.HTTP_2}
                : new String[0];
    }

    private Ceiling ceiling(Machine machine) {
        long files = machine.mostOpenFiles().orElse(Long.MAX_VALUE)
                - machine.openFiles().orElse(0L);
        return Ceiling.measure(planned.plan(), planned.users(), files - LimitChecks.OTHER_FILES, CEILING);
    }
}
