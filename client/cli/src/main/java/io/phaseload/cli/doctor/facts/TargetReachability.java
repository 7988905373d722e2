package io.phaseload.cli.doctor.facts;

import io.phaseload.plan.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The way to a target: its name's addresses, and a connection to each.
 *
 * @param unknown why there is no address; empty if there are some
 * @param attempts one for each address, in the order in which the client takes them
 */
public record TargetReachability(Duration lookUp, Optional<String> unknown, List<Attempt> attempts) {

    /** A name with more addresses than this is a large service's: its first ones tell enough. */
    private static final int MOST_ADDRESSES = 16;

    /**
     * An attempt to connect.
     *
     * @param failure why it failed; empty if it didn't
     */
    public record Attempt(InetSocketAddress address, Duration time, Optional<String> failure) {}

    /** Keeps the list from being changed. */
    public TargetReachability {
        attempts = List.copyOf(attempts);
    }

    /** Looks the target up and connects to all of its addresses at once, and closes them again. */
    public static TargetReachability to(Target target) throws InterruptedException {
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "doctor-connect");
            // A look-up can't be ended.
            thread.setDaemon(true);
            return thread;
        });
        try {
            long start = System.nanoTime();
            Future<InetAddress[]> lookUp = threads.submit(() -> InetAddress.getAllByName(target.host()));
            long limit = target.connectTimeout().toNanos();
            try {
                InetAddress[] addresses = lookUp.get(limit, TimeUnit.NANOSECONDS);
                Duration time = Duration.ofNanos(System.nanoTime() - start);
                List<Future<Attempt>> attempts = Stream.of(addresses)
                        .limit(MOST_ADDRESSES)
                        .map(address -> threads.submit(() -> connect(target, address)))
                        .toList();
                return new TargetReachability(time, Optional.empty(), results(attempts));
            } catch (ExecutionException | TimeoutException e) {
                boolean unknown = e.getCause() instanceof UnknownHostException;
                return new TargetReachability(
                        Duration.ofNanos(System.nanoTime() - start),
                        Optional.of(unknown ? "unknown host" : "no answer within the connect timeout"),
                        List.of());
            }
        } finally {
            threads.shutdown();
        }
    }

    private static List<Attempt> results(List<Future<Attempt>> attempts)
            throws InterruptedException, ExecutionException {
        List<Attempt> results = new ArrayList<>();
        for (Future<Attempt> attempt : attempts) {
            results.add(attempt.get());
        }
        return results;
    }

    private static Attempt connect(Target target, InetAddress address) {
        InetSocketAddress to = new InetSocketAddress(address, target.port());
        long start = System.nanoTime();
        Optional<String> failure = Optional.empty();
        try (Socket socket = new Socket()) {
            socket.connect(to, (int) target.connectTimeout().toMillis());
        } catch (IOException e) {
            failure = Optional.of(String.valueOf(e.getMessage()));
        }
        return new Attempt(to, Duration.ofNanos(System.nanoTime() - start), failure);
    }

    /** The first address that took a connection. */
    public Optional<InetSocketAddress> reachable() {
        return attempts.stream()
                .filter(attempt -> attempt.failure().isEmpty())
                .map(Attempt::address)
                .findFirst();
    }

    /** Whether the target is on this host. */
    public boolean isHere() {
        return attempts.stream().map(attempt -> attempt.address().getAddress()).anyMatch(TargetReachability::isLocal);
    }

    private static boolean isLocal(InetAddress address) {
        try {
            return address.isLoopbackAddress()
                    || address.isAnyLocalAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }
}
