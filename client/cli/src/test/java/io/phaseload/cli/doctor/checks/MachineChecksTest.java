package io.phaseload.cli.doctor.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.doctor.checks.CheckOutcome.Fail;
import io.phaseload.cli.doctor.checks.CheckOutcome.Ok;
import io.phaseload.cli.doctor.checks.CheckOutcome.Skip;
import io.phaseload.cli.doctor.checks.CheckOutcome.Warn;
import io.phaseload.cli.doctor.facts.Machine;
import io.phaseload.cli.doctor.facts.Quiet;
import io.phaseload.host.HostSettings;
import io.phaseload.host.linux.PortRange;
import io.phaseload.plan.Header;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.schedule.Rate;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What facts of the machine mean for a plan. */
class MachineChecksTest {

    private static final HostSettings USUAL = new HostSettings(
            Optional.of(new PortRange(32_768, 60_999)),
            Optional.of(2L),
            Optional.of(4_096L),
            List.of("performance", "performance"),
            Optional.of("tsc"),
            List.of("tsc", "hpet"));
    private static final HostSettings UNKNOWN = new HostSettings(
            Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Optional.empty(), List.of());

    private static PlanBuilder plan() {
        return Plan.builder(URI.create("http://shop.example/"));
    }

    private static Planned users(int users) {
        return new Planned(plan().threads(users).build(), false);
    }

    private static Machine machine(long mostFiles, double quota, double clockNanos) {
        return new Machine(
                true,
                USUAL,
                Optional.of(36L),
                Optional.of(mostFiles),
                quota == 0 ? Optional.empty() : Optional.of(quota),
                clockNanos);
    }

    @Test
    void aConnectionIsAFile() {
        assertThat(LimitChecks.openFiles(users(100), machine(1_000, 0, 0))).isInstanceOf(Ok.class);
        assertThat(LimitChecks.openFiles(users(800), machine(1_000, 0, 0))).isInstanceOf(Warn.class);
        assertThat(LimitChecks.openFiles(users(900), machine(1_000, 0, 0))).isInstanceOf(Warn.class);
        assertThat(LimitChecks.openFiles(users(901), machine(1_000, 0, 0)))
                .isEqualTo(new Fail(
                        "1000 files may be open",
                        "901 connections need about 1001: the others will fail with 'too many" + " open files'",
                        "sudo prlimit --pid $$ --nofile=2002"));
        Planned own = new Planned(plan().threads(500).build(), true);
        assertThat(LimitChecks.openFiles(own, machine(1_000, 0, 0))).isInstanceOf(Fail.class);
        Machine windows = new Machine(false, UNKNOWN, Optional.empty(), Optional.empty(), Optional.empty(), 0);
        assertThat(LimitChecks.openFiles(users(1), windows)).isInstanceOf(Skip.class);
    }

    @Test
    void usersMayShareConnections() {
        EngineSettings http2 = EngineSettings.builder("events")
                .protocol(new Protocol.Http2(10))
                .build();
        assertThat(new Planned(plan().threads(101).engine(http2).build(), false).connections())
                .isEqualTo(11);
        EngineSettings paced = EngineSettings.builder("threads")
                .connectRate(Rate.parse("30/m"))
                .build();
        Planned slow = new Planned(plan().threads(101).engine(paced).build(), false);
        assertThat(slow.connections()).isEqualTo(101);
        assertThat(slow.connectionsAtOnce()).isEqualTo(1);
    }

    @Test
    void aConnectionTakesALocalPort() {
        assertThat(LimitChecks.localPorts(users(28_232), USUAL)).isInstanceOf(Ok.class);
        assertThat(LimitChecks.localPorts(users(28_233), USUAL)).isInstanceOf(Fail.class);
        assertThat(LimitChecks.localPorts(users(1), UNKNOWN)).isInstanceOf(Skip.class);
    }

    @Test
    void aPortIsKeptForAMinute() {
        Planned closing = new Planned(
                plan().header(new Header("connection", "Close")).threads(10).build(), false);
        assertThat(LimitChecks.localPorts(closing, USUAL))
                .isInstanceOfSatisfying(
                        Warn.class, warn -> assertThat(warn.meaning()).contains("more than 471 a second run out"));
        HostSettings reusing = new HostSettings(
                USUAL.portRange(), Optional.of(1L), Optional.empty(), List.of(), Optional.empty(), List.of());
        assertThat(LimitChecks.localPorts(closing, reusing)).isInstanceOf(Ok.class);
    }

    @Test
    void aServerHereHasAnAcceptQueue() {
        assertThat(LimitChecks.acceptQueue(users(4_096), USUAL, true)).isInstanceOf(Ok.class);
        assertThat(LimitChecks.acceptQueue(users(4_097), USUAL, true)).isInstanceOf(Warn.class);
        assertThat(LimitChecks.acceptQueue(users(4_097), USUAL, false)).isInstanceOf(Skip.class);
        assertThat(LimitChecks.acceptQueue(users(4_097), UNKNOWN, true)).isInstanceOf(Skip.class);
    }

    @Test
    void aQuotaThrottles() {
        assertThat(CpuChecks.quota(machine(1_000, 0, 0))).isInstanceOf(Ok.class);
        assertThat(CpuChecks.quota(machine(1_000, 1.5, 0)))
                .isInstanceOfSatisfying(
                        Warn.class, warn -> assertThat(warn.found()).isEqualTo("the control group may use 1.50 CPUs"));
    }

    @Test
    void aGovernorMaySlowCpusDown() {
        HostSettings saving = new HostSettings(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of("powersave", "performance"),
                Optional.empty(),
                List.of());
        assertThat(CpuChecks.governor(USUAL)).isInstanceOf(Ok.class);
        assertThat(CpuChecks.governor(UNKNOWN)).isInstanceOf(Skip.class);
        assertThat(CpuChecks.governor(saving)).isInstanceOfSatisfying(Warn.class, warn -> assertThat(warn.found())
                .isEqualTo("CPU governor performance, powersave"));
    }

    @Test
    void aSlowClockIsTold() {
        assertThat(CpuChecks.clockSource(machine(1_000, 0, 30))).isInstanceOf(Ok.class);
        assertThat(CpuChecks.clockSource(machine(1_000, 0, 1_200))).isInstanceOf(Warn.class);
    }

    @Test
    void neighboursAreTold() {
        assertThat(CpuChecks.runQueue(quiet(0.03, 12, 8, 0.2, 0))).isInstanceOf(Ok.class);
        assertThat(CpuChecks.runQueue(quiet(0.3, 12, 8, 0.2, 0))).isInstanceOf(Warn.class);
        assertThat(CpuChecks.runQueue(quiet(0.03, 50, 8, 0.2, 0))).isInstanceOf(Warn.class);
        assertThat(CpuChecks.runQueue(new Quiet(Map.of("cpuPercent", 3.0)))).isInstanceOf(Skip.class);
    }

    @Test
    void hiccupsAreTold() {
        assertThat(CpuChecks.hiccups(quiet(0, 0, 0, 0.2, 0))).isInstanceOf(Ok.class);
        assertThat(CpuChecks.hiccups(quiet(0, 0, 0, 5, 0))).isInstanceOf(Warn.class);
        assertThat(CpuChecks.hiccups(quiet(0, 0, 0, 0.2, 8))).isInstanceOf(Warn.class);
        assertThat(CpuChecks.hiccups(new Quiet(Map.of()))).isInstanceOf(Skip.class);
    }

    private static Quiet quiet(double wait, double machine, double own, double longest, double stolen) {
        return new Quiet(Map.of(
                "runQueueMeanMs", wait,
                "machineCpuPercent", machine,
                "cpuPercent", own,
                "longestHiccupMs", longest,
                "stolenPercent", stolen));
    }
}
