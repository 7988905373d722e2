package io.phaseload.cli.cluster;

import io.phaseload.cli.command.Checked;
import io.phaseload.cluster.ClusterRun.OnAgentLoss;
import io.phaseload.cluster.agent.AgentSettings;
import io.phaseload.cluster.network.Network;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.Quantities;
import io.phaseload.options.UsageException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.kohsuke.args4j.Option;

/** The options of {@code run} about agents. */
public final class ClusterOptions implements MoreOptions {

    private static final String NAMED = "named:";
    private static final String LOCAL = "local:";
    private static final String SSH = "ssh:";
    private static final Pattern HOST = Pattern.compile("([\\w.-]+@)?\\w[\\w.-]*");
    private static final int MOST = 1_000;
    private static final String TIMEOUT = "60s";
    private static final String LISTEN = "127.0.0.1:7800";

    private final AccessOptions access = new AccessOptions();

    @Option(name = "--agents")
    private String agents;

    @Option(name = "--listen")
    private String listen;

    @Option(name = ClusterPlan.TUNNEL)
    private boolean tunnel;

    @Option(name = "--agents-timeout")
    private String timeout;

    @Option(name = "--on-agent-loss")
    private String onLoss;

    @Override
    public List<?> more() {
        return List.of(access);
    }

    /**
     * The requested load.
     *
     * @return empty if this JVM is to send the load
     * @throws UsageException if something in it isn't allowed, or makes no sense without agents
     */
    public Optional<ClusterPlan> plan() throws UsageException {
        Optional<String> other = other();
        if (agents == null) {
            if (other.isPresent()) {
                throw new UsageException(other.get() + " needs --agents");
            }
            return Optional.empty();
        }
        boolean local = agents.startsWith(LOCAL);
        boolean ssh = agents.startsWith(SSH);
        List<String> hosts = ssh ? hosts(agents.substring(SSH.length())) : List.of();
        Set<String> names = agents.startsWith(NAMED) ? names(agents.substring(NAMED.length())) : Set.of();
        int count = ssh
                ? hosts.size()
                : names.isEmpty() ? count(local ? agents.substring(LOCAL.length()) : agents) : names.size();
        Optional<String> own = local && listen != null ? Optional.of("--listen " + listen) : access.given();
        if ((local || ssh) && own.isPresent()) {
            throw new UsageException(
                    "--agents %s cannot be combined with %s: it takes %s of its own",
                    agents, own.get(), local ? "a free port and a secret" : "a secret");
        }
        UsageException.throwIf(
                ssh && listen == null,
                "--agents %s needs --listen HOST:PORT, where these hosts find this command",
                agents);
        InetSocketAddress address = local
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)
                : AccessOptions.address("--listen", listen == null ? LISTEN : listen);
        UsageException.throwIf(address.isUnresolved(), "--listen %s: expected an address of this machine", listen);
        Launcher start = local
                ? new LocalAgents(count)
                : ssh ? new SshAgents(hosts) : new AwaitedAgents(access.access(), List.copyOf(names));
        return Optional.of(new ClusterPlan(
                agents, count, start, address, tunnel ? Network.TUNNEL : Network.MESH, timeout(), onLoss()));
    }

    private Set<String> names(String text) throws UsageException {
        Set<String> names = new LinkedHashSet<>();
        for (String name : text.split(",", -1)) {
            try {
                AgentSettings.checkName(name);
            } catch (IllegalArgumentException e) {
                throw new UsageException("--agents %s: expected names of agents such as named:berlin,paris", agents);
            }
            UsageException.throwIf(
                    !names.add(name), "--agents %s: expected different names, and %s is there twice", agents, name);
        }
        UsageException.throwIf(names.size() > MOST, "--agents %s: expected at most %d names", agents, MOST);
        return names;
    }

    private List<String> hosts(String text) throws UsageException {
        List<String> hosts = List.of(text.split(",", -1));
        // A host that begins with a dash would be an option of ssh.
        if (hosts.size() > MOST || !hosts.stream().allMatch(HOST.asMatchPredicate())) {
            throw new UsageException("--agents %s: expected hosts such as ssh:load-1,me@load-2", agents);
        }
        UsageException.throwIf(
                SshAgents.jar().isEmpty(), "--agents %s needs Phaseload's jar: use scripts/phaseload", agents);
        return hosts;
    }

    /**
     * The same for a command whose agents run nothing.
     *
     * @throws UsageException with the reason, if {@code --on-agent-loss} is given
     */
    Optional<ClusterPlan> withoutLoad(String why) throws UsageException {
        UsageException.throwIf(onLoss != null, "--on-agent-loss %s: %s", onLoss, why);
        return plan();
    }

    /**
     * For a command that has no use for agents.
     *
     * @throws UsageException with the reason, if something was said of them
     */
    public void refuse(String why) throws UsageException {
        UsageException.throwIf(agents != null, "--agents %s: %s", agents, why);
        plan();
    }

    /** The first option that makes no sense without agents. */
    private Optional<String> other() {
        if (listen != null) {
            return Optional.of("--listen " + listen);
        }
        if (tunnel) {
            return Optional.of(ClusterPlan.TUNNEL);
        }
        if (timeout != null) {
            return Optional.of("--agents-timeout " + timeout);
        }
        return onLoss == null ? access.given() : Optional.of("--on-agent-loss " + onLoss);
    }

    private int count(String text) throws UsageException {
        int count = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
        if (count < 1 || count > MOST) {
            throw new UsageException("--agents %s: expected a number of 1 to %d, named:NAMES, local:3 or ssh:HOSTS"
                    .formatted(agents, MOST));
        }
        return count;
    }

    private Duration timeout() throws UsageException {
        return Checked.value(
                "--agents-timeout",
                timeout == null ? TIMEOUT : timeout,
                text -> Quantities.parseDuration(text, false),
                "a time such as 60s");
    }

    private OnAgentLoss onLoss() throws UsageException {
        return onLoss == null
                ? OnAgentLoss.CONTINUE
                : Checked.value(
                        "--on-agent-loss", onLoss, text -> choice(OnAgentLoss.class, text), "continue or abort");
    }

    /** A constant by its name in lower case. */
    static <E extends Enum<E>> E choice(Class<E> type, String text) {
        if (!text.equals(text.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(text);
        }
        return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
    }
}
