package io.phaseload.cli.cluster;

import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.CommandHelp;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.Node;
import io.phaseload.options.UsageException;
import io.phaseload.server.ServerMain;
import io.phaseload.server.ServerOptions;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.rooms.Relay;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.kohsuke.args4j.Option;

/** {@code serve}: the Tomcat target, alone or as a node of a cluster whose rooms are the same. */
public final class ServeCommand implements CommandBean {

    private static final String CLUSTER = "--cluster";
    private static final String JOIN = "--join";

    private final ServerOptions server = new ServerOptions();
    private final ClusterNodes nodes = new ClusterNodes();
    private final AccessOptions access = new AccessOptions();

    private static final class ClusterNodes {

        @Option(name = CLUSTER)
        private String cluster;

        @Option(name = JOIN)
        private String join;
    }

    /** Serves until the JVM is ended. */
    @Override
    public int execute(Console console) {
        ServerSettings settings = server.toSettings();
        if (nodes.cluster == null) {
            UsageException.throwIf(nodes.join != null, "%s %s needs %s", JOIN, nodes.join, CLUSTER);
            access.given().ifPresent(given -> {
                throw new UsageException(given + " needs " + CLUSTER);
            });
            return ServerMain.serve(settings, Relay.NONE, console.out(), console.err());
        }
        InetSocketAddress at = address(CLUSTER, nodes.cluster);
        List<InetSocketAddress> there = new ArrayList<>();
        if (nodes.join != null) {
            for (String node : nodes.join.split(",", -1)) {
                there.add(address(JOIN, node));
            }
        }
        return serve(console, settings, at, there, access.access());
    }

    @Override
    public List<?> more() {
        return List.of(server, nodes, access);
    }

    @Override
    public CommandHelp about(String name) {
        return new CommandHelp(name, ServerOptions.ABOUT, Set.of(), "");
    }

    private static InetSocketAddress address(String option, String text) throws UsageException {
        InetSocketAddress address = AccessOptions.address(option, text);
        UsageException.throwIf(address.isUnresolved(), "%s %s: unknown host", option, text);
        return address;
    }

    private static int serve(
            Console console,
            ServerSettings settings,
            InetSocketAddress at,
            List<InetSocketAddress> there,
            ClusterAccess access) {
        AccessOptions.refuseObjects();
        try (Node node = Node.join(at, there, access, count -> say(count, console.out()))) {
            return ServerMain.serve(settings, relay(node), console.out(), console.err());
        } catch (IOException e) {
            console.err().println(CLUSTER + " " + at.getHostString() + ":" + at.getPort() + ": " + e.getMessage());
            return ExitCode.INTERNAL_ERROR;
        }
    }

    private static void say(int nodes, PrintStream out) {
        out.println("Nodes: " + nodes);
        out.flush();
    }

    /** The rooms' way to those of other nodes. */
    static Relay relay(Node node) {
        return new Relay() {
            @Override
            public int others() {
                return node.others();
            }

            @Override
            public boolean pass(byte[] message) {
                return node.send(message);
            }

            @Override
            public void receive(Consumer<byte[]> listener) {
                node.receive(listener);
            }
        };
    }
}
