package io.phaseload.cli;

import io.phaseload.lambda.Handler;
import io.phaseload.lambda.local.FunctionUrl;
import io.phaseload.lambda.local.Instances;
import io.phaseload.options.UsageException;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** A target that a run starts itself, in the client's own JVM. */
sealed interface LocalTarget {

    /** The target of a name, with what the options say of it. */
    static LocalTarget of(String name, RunOptions options) throws UsageException {
        if (name.equals("lambda")) {
            return Lambda.of(options);
        }
        checkLambdaAlone("--lambda-instances", options.lambdaInstances);
        checkLambdaAlone("--lambda-cold-start", options.lambdaColdStart);
        if (name.equals("tomcat")) {
            return new Tomcat();
        }
        throw new UsageException("--target " + name + ": expected tomcat or lambda");
    }

    private static void checkLambdaAlone(String option, Object value) throws UsageException {
        if (value != null) {
            throw new UsageException(option + ": expected --target lambda beside it");
        }
    }

    /** Its name, as {@code --target} has it. */
    String name();

    /** Starts it on a free port. */
    TargetServer start() throws IOException;

    /** What the report says of it. */
    String description(URI url);

    /** The servlets. */
    record Tomcat() implements LocalTarget {

        @Override
        public String name() {
            return "tomcat";
        }

        @Override
        public TargetServer start() throws IOException {
            return TargetServer.start(ServerSettings.builder().port(0).build());
        }

        @Override
        public String description(URI url) {
            return "Tomcat at " + url + " in the client's own JVM";
        }
    }

    /**
     * The Lambda handler.
     *
     * @param instances how many there are at most, null for no limit
     * @param coldStart how long the start of one takes, null for no longer than it does
     */
    record Lambda(Integer instances, Duration coldStart) implements LocalTarget {

        // One a thread of the server's: an event must not wait for anything but an instance.
        private static final int MOST_INSTANCES = 10_000;

        static Lambda of(RunOptions options) throws UsageException {
            Integer instances = options.lambdaInstances;
            if (instances != null) {
                Checked.upTo(MOST_INSTANCES, "--lambda-instances", instances);
            }
            Duration coldStart = options.lambdaColdStart;
            if (coldStart != null) {
                Checked.upToADay("--lambda-cold-start", coldStart);
            }
            return new Lambda(instances, coldStart);
        }

        @Override
        public String name() {
            return "lambda";
        }

        @Override
        public TargetServer start() throws IOException {
            Instances function =
                    new Instances(
                            Handler::new,
                            instances == null ? MOST_INSTANCES : instances,
                            coldStart == null ? Duration.ZERO : coldStart);
            return TargetServer.start(
                    ServerSettings.builder().port(0).maxThreads(MOST_INSTANCES).build(),
                    new FunctionUrl(function));
        }

        @Override
        public String description(URI url) {
            String limit = instances == null ? "" : ", instance limit " + instances;
            String cold =
                    coldStart == null
                            ? ""
                            : ", simulated cold start " + coldStart.toMillis() + " ms";
            return "Lambda handler at " + url + " in the client's own JVM" + limit + cold;
        }
    }
}
