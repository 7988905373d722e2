package io.phaseload.http.client;

import io.phaseload.host.PoolUse;
import io.phaseload.http.Connector;
import io.phaseload.http.Deadlines;
import io.phaseload.http.StreamSender;
import io.phaseload.http.UserConnection;
import io.phaseload.http.UserSender;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.EngineSettings;
import java.util.Optional;

/** Our own client: nothing is shared by users, each has a {@link UserConnection}. */
public final class WireClient implements Client {

    /** Makes them for plans that don't name another client. */
    public static final class Provider implements ClientProvider {

        /** Makes a provider. */
        public Provider() {}

        @Override
        public String name() {
            return EngineSettings.WIRE;
        }

        @Override
        public Client create(Plan plan) {
            return new WireClient(plan);
        }
    }

    private final Connector connector;
    private final Target target;
    private final boolean streams;

    private WireClient(Plan plan) {
        target = plan.target();
        connector = new Connector(target);
        streams = !plan.scenario().streams().isEmpty();
    }

    @Override
    public UserSender newSender(Deadlines deadlines, UserSender.Turn turn) {
        UserConnection connection = new UserConnection(connector, deadlines, turn);
        return streams ? StreamSender.of(connection, deadlines, target) : connection;
    }

    @Override
    public Optional<PoolUse> pool() {
        return Optional.empty();
    }

    @Override
    public void close() {
        // Each connection was closed with its user.
    }
}
