import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A server that behaves as its arguments say, with a thread for each connection: {@code java Server.java}; see behaviours.py. */
public class Server {

    private static final Map<String, String> OPTIONS = new HashMap<>();
    private static final List<Rule> RULES = new ArrayList<>();
    private static final AtomicInteger REQUESTS = new AtomicInteger();
    private static final AtomicInteger CONNECTIONS = new AtomicInteger();
    private static final ReentrantReadWriteLock WORLD = new ReentrantReadWriteLock(true);
    private static final Map<String, Long> KEPT = new ConcurrentHashMap<>();
    private static volatile long begin;

    private static final class Rule {

        final Map<String, String> keys;
        final AtomicLong count = new AtomicLong();
        final AtomicLong tick = new AtomicLong();
        final Semaphore pool;

        Rule(Map<String, String> keys) {
            this.keys = keys;
            pool = keys.containsKey("pool") ? new Semaphore((int) number("pool"), true) : null;
        }

        double number(String name) {
            String[] ends = keys.get(name).split("\\.\\.");
            double low = Double.parseDouble(ends[0]);
            return ends.length == 1 ? low : ThreadLocalRandom.current().nextDouble(low, Double.parseDouble(ends[1]));
        }

        boolean matches(String method, String path, int connection, int asked) {
            double ms = (System.nanoTime() - begin) / 1e6;
            for (String name : keys.keySet()) {
                boolean holds = switch (name) {
                    case "path" -> path.startsWith(keys.get(name));
                    case "method" -> method.equals(keys.get(name));
                    case "conn" -> connection % (int) number(name) == 0;
                    case "upto" -> asked <= (int) number(name);
                    case "nth" -> asked % (int) number(name) == 0;
                    case "from" -> ms >= number(name);
                    case "to" -> ms < number(name);
                    case "share" -> ThreadLocalRandom.current().nextDouble() < number(name);
                    default -> true;
                };
                if (!holds) {
                    return false;
                }
            }
            if (keys.containsKey("every") && count.incrementAndGet() % (long) number("every") != 0) {
                return false;
            }
            if (keys.containsKey("tick")) {
                long period = (long) (ms / number("tick"));
                long before = tick.get();
                return period != 0 && period != before && tick.compareAndSet(before, period);
            }
            return true;
        }

        void waits() throws InterruptedException {
            double ms = keys.containsKey("ms") ? number("ms") : 0;
            if (keys.containsKey("exp")) {
                ms += -Math.log(1 - ThreadLocalRandom.current().nextDouble()) * number("exp");
            }
            if (keys.containsKey("grow")) {
                ms += number("grow") / 1000 * REQUESTS.get();
            }
            if (keys.containsKey("keep")) {
                KEPT.put("request " + REQUESTS.get() + "x".repeat((int) number("keep")), System.nanoTime());
            }
            if (keys.containsKey("block")) {
                WORLD.readLock().unlock();
                WORLD.writeLock().lock();
                sleep(ms);
                WORLD.writeLock().unlock();
                WORLD.readLock().lock();
            } else if (pool != null) {
                pool.acquire();
                sleep(ms);
                pool.release();
            } else {
                sleep(ms);
            }
        }
    }

    private static void sleep(double ms) throws InterruptedException {
        Thread.sleep((long) ms, (int) (ms % 1 * 1e6));
    }

    public static void main(String[] args) throws IOException {
        for (String text : args) {
            Map<String, String> keys = new HashMap<>();
            for (String word : text.split(" ")) {
                String[] pair = word.split("=", 2);
                keys.put(pair[0], pair.length == 1 ? "" : pair[1]);
            }
            if (keys.containsKey("option")) {
                OPTIONS.putAll(keys);
            } else {
                RULES.add(new Rule(keys));
            }
        }
        int backlog = Integer.parseInt(OPTIONS.getOrDefault("backlog", "1024"));
        int acceptMs = Integer.parseInt(OPTIONS.getOrDefault("accept", "0"));
        int requests = Integer.parseInt(OPTIONS.getOrDefault("requests", "0"));
        ExecutorService threads = Executors.newCachedThreadPool();
        try (var server = new ServerSocket(0, backlog, InetAddress.getByName("127.0.0.1"))) {
            System.out.println("Serving on http://127.0.0.1:" + server.getLocalPort() + "/");
            while (true) {
                Socket socket = server.accept();
                threads.execute(() -> serve(socket, requests));
                try {
                    Thread.sleep(acceptMs);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    private static void serve(Socket socket, int requests) {
        if (begin == 0) {
            begin = System.nanoTime();
        }
        int number = CONNECTIONS.incrementAndGet();
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            for (int asked = 1; requests == 0 || asked <= requests; asked++) {
                String line = line(in);
                if (line == null) {
                    return;
                }
                int length = 0;
                for (String header = line(in); header != null && !header.isEmpty(); header = line(in)) {
                    if (header.toLowerCase().startsWith("content-length:")) {
                        length = Integer.parseInt(header.substring(15).trim());
                    }
                }
                in.skipNBytes(length);
                String[] words = line.split(" ");
                REQUESTS.incrementAndGet();
                WORLD.readLock().lock();
                byte[] answer;
                try {
                    answer = answer(words[0], words[1], number, asked, socket, requests != 0 && asked == requests);
                } finally {
                    WORLD.readLock().unlock();
                }
                if (answer == null) {
                    return;
                }
                socket.getOutputStream().write(answer);
            }
        } catch (IOException | InterruptedException e) {
            // The client is gone.
        }
    }

    /** The response, or null if the connection ends without it. */
    private static byte[] answer(String method, String path, int connection, int asked, Socket socket, boolean last)
            throws IOException, InterruptedException {
        String status = "200 OK";
        String headers = last ? "Connection: close\r\n" : "";
        String body = "ok";
        for (Rule rule : RULES) {
            if (!rule.matches(method, path, connection, asked)) {
                continue;
            }
            rule.waits();
            if (rule.keys.containsKey("bytes")) {
                body = "x".repeat((int) rule.number("bytes"));
            }
            if (rule.keys.containsKey("header")) {
                headers += rule.keys.get("header").replaceFirst(":", ": ") + "\r\n";
            }
            String end = rule.keys.get("end");
            if (end != null) {
                if (end.equals("hang")) {
                    Thread.sleep(60_000);
                }
                if (end.equals("reset")) {
                    socket.setSoLinger(true, 0);
                }
                return null;
            }
            if (rule.keys.containsKey("status")) {
                status = rule.keys.get("status") + " Status";
                break;
            }
        }
        return ("HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8);
    }

    private static String line(InputStream in) throws IOException {
        var text = new StringBuilder();
        for (int next = in.read(); next != -1; next = in.read()) {
            if (next == '\n') {
                return text.toString().strip();
            }
            text.append((char) next);
        }
        return null;
    }
}
