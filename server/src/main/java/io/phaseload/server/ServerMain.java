package io.phaseload.server;

import io.phaseload.options.Help;
import io.phaseload.options.MoreOptions;
import io.phaseload.options.OptionParser;
import io.phaseload.options.UsageException;
import io.phaseload.server.rooms.Relay;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.kohsuke.args4j.Option;

/** Runs the target in the foreground until it is stopped. */
public final class ServerMain {

    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private ServerMain() {}

    private static final class MainOptions implements MoreOptions {

        private final ServerOptions server = new ServerOptions();

        @Option(name = "--help", aliases = "-h", help = true)
        private boolean help;

        @Override
        public List<?> more() {
            return List.of(server);
        }
    }

    /**
     * Serves, and ends the JVM with {@link #run}'s exit code.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments, System.out, System.err));
    }

    /**
     * Serves until the JVM is ended (SIGTERM, Ctrl-C) or the calling thread is interrupted; then finishes the requests
     * in flight. A JVM that was ended by a signal exits with the exit code of that signal.
     *
     * @param arguments the command line
     * @param out receives the URL, and at the end the number of requests
     * @param err receives one line if it can't serve
     * @return the exit code: 0 if it served or printed help, 1 if it couldn't start, 2 if the command line is wrong
     */
    public static int run(String[] arguments, PrintStream out, PrintStream err) {
        MainOptions options = new MainOptions();
        ServerSettings settings;
        try {
            OptionParser parser = new OptionParser(options);
            parser.parse(arguments);
            if (options.help) {
                out.print(new Help("serve", ServerOptions.ABOUT, parser.options(), "").all());
                out.flush();
                return OK;
            }
            settings = options.server.toSettings();
        } catch (UsageException e) {
            err.println(e.getMessage());
            return USAGE;
        }
        return serve(settings, Relay.NONE, out, err);
    }

    /**
     * Serves as {@link #run} does.
     *
     * @param relay to the other nodes of a cluster
     * @param out receives the URL, and at the end the number of requests
     * @param err receives one line if it can't serve
     * @return the exit code: 0 if it served, 1 if it couldn't start
     */
    public static int serve(ServerSettings settings, Relay relay, PrintStream out, PrintStream err) {
        try (TargetServer server = TargetServer.start(settings, relay)) {
            serve(server, out);
            return OK;
        } catch (BindException e) {
            err.println("--port " + settings.port() + ": " + e.getMessage());
        } catch (UnknownHostException e) {
            err.println("--address " + settings.address() + ": unknown host");
        } catch (IOException e) {
            err.println(e.getMessage());
        }
        return FAILED;
    }

    private static void serve(TargetServer server, PrintStream out) {
        CountDownLatch stopped = new CountDownLatch(1);
        Thread main = Thread.currentThread();
        Thread hook = new Thread(
                () -> {
                    main.interrupt();
                    awaitQuietly(stopped);
                },
                "phaseload-server-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            out.println("Serving on " + server.url());
            out.flush();
            // Nothing but an interrupt ends this.
            awaitQuietly(new CountDownLatch(1));
            server.close();
            out.println("Served " + server.requestsServed() + " requests.");
            out.flush();
        } finally {
            stopped.countDown();
            remove(hook);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            // Told to stop, as the caller knows; the flag stays off, so that the draining can wait.
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyShuttingDown) {
            // Then the hook itself is running.
        }
    }
}
