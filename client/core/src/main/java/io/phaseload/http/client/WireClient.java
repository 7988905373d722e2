package io.phaseload.http.client;

import io.phaseload.host.PoolUse;
import io.phaseload.http.Connector;
import io.phaseload.http.Deadlines;
import io.phaseload.http.Sender;
import io.phaseload.http.UserConnection;
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
            return new WireClient(plan.target());
        }
    }

    private final Connector connector;

    private WireClient(Target target) {
        connector = new Connector(target);
    }

    @Override
    public Sender newSender(Deadlines deadlines, Sender.Turn turn) {
        return new UserConnection(connector, deadlines, turn);
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
