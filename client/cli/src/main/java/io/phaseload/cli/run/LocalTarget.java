package io.phaseload.cli.run;

import io.phaseload.lambda.Handler;
import io.phaseload.lambda.local.FunctionUrl;
import io.phaseload.lambda.local.Instances;
import io.phaseload.result.Result;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** A target that a run starts itself, in the client's own JVM. */
public sealed interface LocalTarget {

    /** The target of the settings; Tomcat by default. */
    static LocalTarget of(Settings settings) {
        String name = settings.has(Setting.TARGET) ? settings.text(Setting.TARGET) : "tomcat";
        if (name.equals("lambda")) {
            return Lambda.of(settings);
        }
        return new Tomcat();
    }

    /** Its name in {@code --target}. */
    String name();

    /** Starts it on a free port. */
    TargetServer start() throws IOException;

    /** Its description in the report. */
    String description(URI url);

    /**
     * A result with the target's own count of its requests.
     *
     * @param before the number of requests that the target had served before the run
     */
    default Result counted(Result result, TargetServer server, long before) {
        return result.withTarget(
                new Result.TargetCount(name(), description(server.url()), server.requestsServed() - before));
    }

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
     * @param instances the most there are, null for no limit
     * @param coldStart the time that starting one takes at least, null for no minimum
     */
    record Lambda(Integer instances, Duration coldStart) implements LocalTarget {

        // One for each thread of the server: an event must wait for nothing but an instance.
        private static final int MOST_INSTANCES =
                (int) Setting.of(Setting.LAMBDA_INSTANCES).kind().most();

        static Lambda of(Settings settings) {
            return new Lambda(
                    settings.has(Setting.LAMBDA_INSTANCES) ? (int) settings.count(Setting.LAMBDA_INSTANCES) : null,
                    settings.has(Setting.LAMBDA_COLD_START) ? settings.time(Setting.LAMBDA_COLD_START) : null);
        }

        @Override
        public String name() {
            return "lambda";
        }

        @Override
        public TargetServer start() throws IOException {
            Instances function = new Instances(
                    Handler::new,
                    instances == null ? MOST_INSTANCES : instances,
                    coldStart == null ? Duration.ZERO : coldStart);
            return TargetServer.start(
                    ServerSettings.builder().port(0).maxThreads(MOST_INSTANCES).build(), new FunctionUrl(function));
        }

        @Override
        public String description(URI url) {
            String limit = instances == null ? "" : ", instance limit " + instances;
            String cold = coldStart == null ? "" : ", simulated cold start " + coldStart.toMillis() + " ms";
            return "Lambda handler at " + url + " in the client's own JVM" + limit + cold;
        }
    }
}
