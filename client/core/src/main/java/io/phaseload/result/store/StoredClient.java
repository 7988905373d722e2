package io.phaseload.result.store;

import io.phaseload.health.ClientHealth;
import io.phaseload.health.ClientLoad;
import io.phaseload.health.LoopLag;
import io.phaseload.health.Span;
import io.phaseload.health.Stalls;
import io.phaseload.health.SystemUse;
import io.phaseload.host.linux.RunQueueWait;
import io.phaseload.result.host.ClientUse;
import io.phaseload.result.json.ResultJson;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads what happened to the client in a phase from {@code result.json}. */
final class StoredClient {

    private StoredClient() {}

    /**
     * Reads it.
     *
     * @param client the stored values; missing for a killed run
     * @param cores the client's processors
     * @param wall the time that the phase took
     * @param stalled the seconds in which requests ended that stalls affected
     * @param uncut true if it is the whole phase: for a part, only shares are known
     */
    static ClientHealth read(JsonNode client, int cores, Duration wall, List<Span> stalled, boolean uncut) {
        Duration cpu = duration(client.path("cpuSeconds").asDouble(0));
        // Measured for a little longer than the phase, since the threads exist before it begins.
        double share = client.path("cpuPercent").asDouble(0) / 100;
        Duration measured = share > 0 ? Duration.ofNanos(Math.round(cpu.toNanos() / (share * cores))) : wall;
        Duration gc = duration(client.path("gcSeconds").asDouble(0));
        ClientLoad load = new ClientLoad(measured, cpu, cores, gc);
        return uncut && client.isObject()
                ? health(ResultJson.read(client, ClientUse.class), load, stalled)
                : ClientHealth.of(load).with(Optional.empty(), stalled);
    }

    private static ClientHealth health(ClientUse use, ClientLoad load, List<Span> stalled) {
        ClientUse.SystemJson system = use.system();
        return new ClientHealth(
                load,
                use.stalls() == null
                        ? Stalls.NONE
                        : new Stalls(
                                use.stalls().count(),
                                duration(use.stalls().seconds()),
                                duration(use.stalls().longestMs() / 1_000),
                                duration(use.stalls().stoppedSeconds())),
                new SystemUse(
                        system.runQueueSeconds().flatMap(seconds -> system.runQueueTurns()
                                .map(turns -> new RunQueueWait(duration(seconds), turns))),
                        system.stolenPercent().map(percent -> percent / 100),
                        system.idlePercent().map(percent -> percent / 100),
                        system.throttledSeconds().map(StoredClient::duration),
                        system.suspendedSeconds().map(StoredClient::duration)),
                use.loopLag() == null
                        ? LoopLag.NONE
                        : new LoopLag(
                                duration(use.loopLag().seconds()),
                                duration(use.loopLag().longestMs() / 1_000)),
                use.usersTime(),
                stalled);
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }
}
