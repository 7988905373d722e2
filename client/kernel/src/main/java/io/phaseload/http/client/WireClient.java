package io.phaseload.http.client;

import io.phaseload.http.Connector;
import io.phaseload.http.StreamSender;
import io.phaseload.http.UserConnection;
import io.phaseload.plan.Plan;
import io.phaseload.plan.engine.EngineSettings;

/** Our own client, of plans that name no other: a connection per user. */
public final class WireClient implements ClientProvider {

    /** Creates a provider. */
    public WireClient() {}

    @Override
    public String name() {
        return EngineSettings.WIRE;
    }

    @Override
    public Client create(Plan plan) {
        Connector connector = new Connector(plan.target());
        boolean streams = !plan.scenario().streams().isEmpty();
        return (deadlines, turn) -> {
            UserConnection connection = new UserConnection(connector, deadlines, turn);
            return streams ? new StreamSender(connection, deadlines, plan.target()) : connection;
        };
    }
}
