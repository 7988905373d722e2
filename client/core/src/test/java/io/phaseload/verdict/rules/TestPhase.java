package io.phaseload.verdict.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.health.ClientHealth;
import io.phaseload.health.ClientLoad;
import io.phaseload.health.LoopLag;
import io.phaseload.health.Stalls;
import io.phaseload.health.SystemUse;
import io.phaseload.measure.UsersTime;
import io.phaseload.verdict.Finding;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A phase of 100 s with 10 users on four cores, whose requests took 500 s together. */
final class TestPhase {

    static final ClientLoad IDLE = load(0, 0);
    static final UsersTime ALL_AT_WORK = users(10, 1_000, 0, 0);

    private TestPhase() {}

    static ClientLoad load(double cpuSeconds, double gcSeconds) {
        return new ClientLoad(seconds(100), seconds(cpuSeconds), 4, seconds(gcSeconds));
    }

    static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    static ClientHealth client(ClientLoad load, Stalls stalls, SystemUse system) {
        return new ClientHealth(load, stalls, system, LoopLag.NONE, Optional.empty(), List.of());
    }

    static UsersTime users(int tookPart, double responding, double connecting, double unscheduled) {
        return new UsersTime(
                10,
                tookPart,
                seconds(1_000),
                seconds(responding),
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                seconds(connecting),
                seconds(unscheduled));
    }

    static PhaseHealth phase(ClientHealth client) {
        return phase(client, seconds(100), ALL_AT_WORK, new Tail(99, 100, 0));
    }

    static PhaseHealth phase(ClientHealth client, Duration wall, UsersTime users, Tail tail) {
        return new PhaseHealth(
                Wording.REQUESTS,
                "peak",
                wall,
                true,
                true,
                client,
                Optional.of(users),
                Optional.empty(),
                tail,
                seconds(0.005));
    }

    static PhaseHealth users(UsersTime users) {
        return phase(ClientHealth.of(IDLE), seconds(100), users, new Tail(99, 100, 0));
    }

    static List<String> ids(PhaseHealth phase) {
        return HealthRules.judge(phase).stream().map(Finding::id).toList();
    }

    static void expect(PhaseHealth phase, String id) {
        assertThat(ids(phase)).isEqualTo(id == null ? List.of() : List.of(id));
    }
}
