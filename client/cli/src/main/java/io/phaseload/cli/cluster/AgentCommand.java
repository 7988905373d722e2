package io.phaseload.cli.cluster;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.folders.ResultOutput;
import io.phaseload.cli.terminal.Display;
import io.phaseload.cli.terminal.Interruption;
import io.phaseload.cluster.agent.AgentSettings;
import io.phaseload.cluster.agent.AgentSettings.OnCoordinatorLoss;
import io.phaseload.cluster.agent.AgentWork;
import io.phaseload.cluster.agent.ClusterAgent;
import io.phaseload.cluster.network.ClusterAccess;
import io.phaseload.cluster.network.ClusterKeys;
import io.phaseload.cluster.network.Network;
import io.phaseload.cluster.network.NodeTransport;
import io.phaseload.cluster.network.UnansweredException;
import io.phaseload.engine.RunControl;
import io.phaseload.files.FileProblem;
import io.phaseload.input.Printable;
import io.phaseload.options.UsageException;
import io.phaseload.plan.Plan;
import io.phaseload.result.Environment;
import io.phaseload.result.Result;
import io.phaseload.result.store.ResultFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.kohsuke.args4j.Option;

/** {@code phaseload agent}: waits for work, runs it, and waits again. */
public final class AgentCommand implements CommandBean {

    @Option(name = "--coordinator")
    private String coordinator;

    @Option(name = "--name")
    private String name;

    @Option(name = "--bind")
    private String bind;

    @Option(name = ClusterPlan.TUNNEL)
    private boolean tunnel;

    @Option(name = "--agent-weight")
    private String weight = "1";

    @Option(name = "--once")
    private boolean once;

    @Option(name = Launcher.UNTIL_INPUT_ENDS)
    private boolean untilInputEnds;

    @Option(name = "--on-coordinator-loss")
    private String onLoss = "stop";

    @Option(name = "--out", aliases = "-o")
    private String results = "results";

    @Option(name = "--init")
    private String init;

    private final AccessOptions asked = new AccessOptions();

    @Override
    public int execute(Console console) {
        try {
            return init == null ? serve(settings(), console) : init(console.out());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        }
    }

    @Override
    public List<?> more() {
        return List.of(asked);
    }

    private int init(PrintStream out) {
        Path folder = Checked.value("--init", init, Path::of, "a folder's name");
        try {
            ClusterKeys.make(folder);
        } catch (IOException e) {
            throw new UsageException("--init " + folder + ": " + FileProblem.of(e));
        }
        out.printf(
                "%s: the secret of coordinator and agents%n%s: for run --agents%n%s: for agents%n",
                folder.resolve(ClusterKeys.SECRET),
                folder.resolve(ClusterKeys.COORDINATOR),
                folder.resolve(ClusterKeys.AGENT));
        return ExitCode.PASSED;
    }

    private AgentSettings settings() throws UsageException {
        UsageException.throwIf(coordinator == null, "agent: expected --coordinator HOST:PORT");
        InetSocketAddress at = AccessOptions.address("--coordinator", coordinator);
        Optional<InetAddress> own = bind();
        int part = Checked.value(
                "--agent-weight", weight, AgentCommand::weight, "a whole number of 1 to " + AgentSettings.MOST_WEIGHT);
        OnCoordinatorLoss then = Checked.value(
                "--on-coordinator-loss",
                onLoss,
                text -> ClusterOptions.choice(OnCoordinatorLoss.class, text),
                "stop or finish");
        ClusterAccess access = asked.access();
        String host = Environment.capture().host().orElse("agent");
        return Checked.value(
                "--name",
                name == null ? host : name,
                named -> new AgentSettings(
                        named, at, own, part, once, then, tunnel ? Network.TUNNEL : Network.MESH, access),
                "a name");
    }

    private static int weight(String text) {
        int weight = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
        if (weight < 1 || weight > AgentSettings.MOST_WEIGHT) {
            throw new IllegalArgumentException(text);
        }
        return weight;
    }

    private Optional<InetAddress> bind() throws UsageException {
        if (bind == null) {
            return Optional.empty();
        }
        try {
            InetAddress address = InetAddress.getByName(bind);
            NodeTransport.freePort(address, 0);
            return Optional.of(address);
        } catch (IOException e) {
            throw new UsageException("--bind " + bind + ": expected an address of this machine");
        }
    }

    private int serve(AgentSettings settings, Console console) throws InterruptedException {
        AccessOptions.refuseObjects();
        Work work = new Work(settings, Path.of(results), console);
        try (ClusterAgent agent = new ClusterAgent(settings, work);
                Interruption interruption =
                        new Interruption(agent::close, RunControl.DRAIN_LIMIT, console.err(), () -> {})) {
            console.out().printf("Agent %s waits for a coordinator at %s.%n", settings.name(), coordinator);
            console.out().flush();
            if (untilInputEnds) {
                leaveWithInput(agent, console.in());
            }
            agent.run();
            return work.incomplete ? ExitCode.INTERNAL_ERROR : ExitCode.PASSED;
        } catch (IOException e) {
            console.err().println("agent " + settings.name() + ": " + e.getMessage());
            return ExitCode.USAGE;
        }
    }

    /** Why an agent couldn't join, and what may help. */
    static String reasonAndAdvice(IOException why) {
        return why instanceof UnansweredException
                ? "%s. Use %s on both or on neither, and keys of one --init"
                        .formatted(why.getMessage(), ClusterPlan.TUNNEL)
                : String.valueOf(why.getMessage());
    }

    private static void leaveWithInput(ClusterAgent agent, InputStream in) {
        Thread thread = new Thread(
                () -> {
                    try {
                        in.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        // Nobody is there any more, either.
                    }
                    agent.abandon();
                },
                "input-end");
        thread.setDaemon(true);
        thread.start();
    }

    /** Says what the agent does, and keeps what it measures. */
    private static final class Work implements AgentWork {

        private final AgentSettings settings;
        private final Path results;
        private final Console console;
        // Of the agent's thread, which is this command's.
        private boolean incomplete;

        Work(AgentSettings settings, Path results, Console console) {
            this.settings = settings;
            this.results = results;
            this.console = console;
        }

        @Override
        public void joined(String coordinator) {
            say("Agent %s has joined %s.%n", settings.name(), coordinator);
        }

        @Override
        public void notJoined(String coordinator, IOException why) {
            say("Agent %s can't join %s yet: %s.%n", settings.name(), coordinator, reasonAndAdvice(why));
        }

        @Override
        public ResultFolder folder(Plan plan) throws IOException {
            say("Agent %s runs part %s of the plan %s.%n", settings.name(), plan.part(), Printable.of(plan.name()));
            return ResultFolder.create(results, Instant.now(), settings.name());
        }

        @Override
        public void ended(Result result, ResultFolder folder) {
            try {
                new ResultOutput(console, false, Display.PLAIN).write(result, folder);
            } catch (IOException e) {
                incomplete = true;
                console.err().println("The results couldn't be written to " + folder.path() + ": " + FileProblem.of(e));
            }
        }

        @Override
        public void failed(String why) {
            incomplete = true;
            console.err().printf("Agent %s couldn't run its part: %s%n", settings.name(), why);
        }

        @Override
        public void coordinatorLost() {
            incomplete = true;
            console.err()
                    .printf(
                            "Agent %s lost its coordinator during the run; phaseload merge makes a result of"
                                    + " the agents' folders.%n",
                            settings.name());
        }

        private void say(String format, Object... values) {
            console.out().printf(format, values);
            console.out().flush();
        }
    }
}
