package io.phaseload.cli.cluster;

import io.phaseload.cli.command.Checked;
import io.phaseload.cli.command.CommandBean;
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

    static final String UNTIL_INPUT_ENDS = "--until-input-ends";

    @Option(name = "--coordinator", metaVar = "HOST:PORT", usage = "where phaseload run --agents listens")
    private String coordinator;

    @Option(name = "--name", metaVar = "NAME", usage = "the name of this agent (the host's name)")
    private String name;

    @Option(
            name = "--bind",
            metaVar = "ADDRESS",
            usage = "the address of this machine that other members connect to (the one that leads to the"
                    + " coordinator)")
    private String bind;

    @Option(name = ClusterOptions.TUNNEL, usage = "connect to the coordinator alone, which has this option, too")
    private boolean tunnel;

    @Option(name = "--agent-weight", metaVar = "N", usage = "this agent's part of the load, compared with the others'")
    private String weight = "1";

    @Option(name = "--once", usage = "end after one run")
    private boolean once;

    @Option(name = UNTIL_INPUT_ENDS, usage = "end when standard input does, as by Ctrl-C")
    private boolean untilInputEnds;

    @Option(
            name = "--on-coordinator-loss",
            metaVar = "stop|finish",
            usage = "stop: end the run, as Ctrl-C does; finish: go on alone")
    private String onLoss = "stop";

    @Option(name = "--out", aliases = "-o", metaVar = "DIR", usage = "where to make a results folder for each run")
    private String results = "results";

    @Option(name = "--init", metaVar = "DIR", usage = "make a secret and keys: secret, coordinator.p12, agent.p12")
    private String init;

    private final AccessOptions asked = new AccessOptions();
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    public AgentCommand(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    @Override
    public int execute() {
        try {
            return init == null ? serve(settings()) : init();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        }
    }

    @Override
    public List<?> more() {
        return List.of(asked);
    }

    private int init() {
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

    private int serve(AgentSettings settings) throws InterruptedException {
        AccessOptions.refuseObjects();
        Work work = new Work(settings, Path.of(results));
        try (ClusterAgent agent = new ClusterAgent(settings, work);
                Interruption interruption = new Interruption(agent::close, RunControl.DRAIN_LIMIT, err, () -> {})) {
            out.printf("Agent %s waits for a coordinator at %s.%n", settings.name(), coordinator);
            out.flush();
            if (untilInputEnds) {
                leaveWithInput(agent);
            }
            agent.run();
            return work.incomplete ? ExitCode.INTERNAL_ERROR : ExitCode.PASSED;
        } catch (IOException e) {
            err.println("agent " + settings.name() + ": " + e.getMessage());
            return ExitCode.USAGE;
        }
    }

    /** Why an agent couldn't join, and what may help. */
    static String reasonAndAdvice(IOException why) {
        return why instanceof UnansweredException
                ? "%s. Use %s on both or on neither, and keys of one --init"
                        .formatted(why.getMessage(), ClusterOptions.TUNNEL)
                : String.valueOf(why.getMessage());
    }

    private void leaveWithInput(ClusterAgent agent) {
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
    private final class Work implements AgentWork {

        private final AgentSettings settings;
        private final Path results;
        // Of the agent's thread, which is this command's.
        private boolean incomplete;

        Work(AgentSettings settings, Path results) {
            this.settings = settings;
            this.results = results;
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
                new ResultOutput(out, err, false, Display.PLAIN).write(result, folder);
            } catch (IOException e) {
                incomplete = true;
                err.println("The results couldn't be written to " + folder.path() + ": " + FileProblem.of(e));
            }
        }

        @Override
        public void failed(String why) {
            incomplete = true;
            err.printf("Agent %s couldn't run its part: %s%n", settings.name(), why);
        }

        @Override
        public void coordinatorLost() {
            incomplete = true;
            err.printf(
                    "Agent %s lost its coordinator during the run; phaseload merge makes a result of"
                            + " the agents' folders.%n",
                    settings.name());
        }

        private void say(String format, Object... values) {
            out.printf(format, values);
            out.flush();
        }
    }
}
