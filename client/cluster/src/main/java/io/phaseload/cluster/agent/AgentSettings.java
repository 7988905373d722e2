package io.phaseload.cluster.agent;

import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.Network;
import io.phaseload.input.Args;
import io.phaseload.options.ValueException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * The settings of an agent at its start.
 *
 * @param name unique among agents: 1 to 60 letters, digits, {@code .}, {@code -} and {@code _}
 * @param bind the address that others reach it at; empty for the one that leads to the coordinator
 * @param weight its part of the load, compared with others': 1 to 1,000
 * @param once true if it leaves after one run
 * @param network the way that it reaches the coordinator and other agents
 */
public record AgentSettings(
        String name,
        InetSocketAddress coordinator,
        Optional<InetAddress> bind,
        int weight,
        boolean once,
        OnCoordinatorLoss onLoss,
        Network network,
        ClusterAccess access) {

    /** The coordinator's name among those of agents; no agent may have it. */
    public static final String COORDINATOR = "coordinator";

    /** The most that an agent can weigh. */
    public static final int MOST_WEIGHT = 1_000;

    /** The action of an agent when its coordinator is lost in a run; it keeps what it measured. */
    public enum OnCoordinatorLoss {
        /** It goes on with its part, and doesn't wait for the others between phases. */
        FINISH,
        /** It ends its run as Ctrl-C would. */
        STOP
    }

    /**
     * Checks name and weight.
     *
     * @throws IllegalArgumentException naming the part, its value and what is allowed
     */
    public AgentSettings {
        check(name, weight);
    }

    /** The data of an agent is also checked where it arrives. */
    public static void check(String name, int weight) {
        checkName(name);
        Args.range("weight", weight, 1, MOST_WEIGHT);
    }

    /**
     * Checks an agent's name.
     *
     * @param name any
     * @throws IllegalArgumentException naming it and what is allowed
     */
    public static void checkName(String name) {
        if (!name.matches("[A-Za-z0-9._-]{1,60}")) {
            throw new ValueException("name " + name, "letters, digits, '.', '-' and '_'");
        }
        if (name.equals(COORDINATOR)) {
            throw new ValueException("name " + name, "another one, which isn't the coordinator's");
        }
    }
}
