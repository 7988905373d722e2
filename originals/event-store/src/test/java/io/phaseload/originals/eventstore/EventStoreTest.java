package io.phaseload.originals.eventstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventStoreTest {

    private static final Duration READY = Duration.ofSeconds(60);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    private final List<EventStore> started = new ArrayList<>();

    @AfterEach
    void close() {
        started.forEach(EventStore::close);
    }

    @Test
    void anEmbeddedPeerCountsWhatWasInsertedUntilItIsCleaned() throws Exception {
        EventStore store = start(settings("n1", Map.of("n1", address()), true));
        HttpResponse<String> inserted = get(store, "measure/disk-1k/insert-events/1001");
        assertThat(inserted.statusCode()).isEqualTo(200);
        assertThat(inserted.body()).matches("\\{\"timeElapsed\":\\d+\\.\\d{3},\"bufferSize\":1024,\"stored\":1001}");
        assertThat(count(store)).isEqualTo("{\"events\":1001,\"inserted\":1001}");
        HttpResponse<String> again = get(store, "measure/memory-64k/insert-events/1");
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.body()).isEqualTo("{\"error\":\"1001 events are left\"}");

        String token = send(store, "DELETE", "data", "").body().replaceAll(".*\"(t\\d+)\".*", "$1");
        assertThat(send(store, "POST", "clean", "t99").statusCode()).isEqualTo(403);
        assertThat(send(store, "POST", "clean", "").statusCode()).isEqualTo(403);
        assertThat(count(store)).isEqualTo("{\"events\":1001,\"inserted\":1001}");
        assertThat(send(store, "POST", "clean", token).body()).isEqualTo("{\"cleaned\":true}");
        assertThat(send(store, "POST", "clean", token).statusCode()).isEqualTo(403);
        assertThat(count(store)).isEqualTo("{\"events\":0,\"inserted\":1001}");
        assertThat(get(store, "measure/memory-64k/insert-events/1").statusCode())
                .isEqualTo(200);
        assertThat(count(store)).isEqualTo("{\"events\":1,\"inserted\":1002}");
        assertThat(folder.resolve("n1/buffer")).doesNotExist();
    }

    @Test
    void requestsThatMeanNothingAreRefused() throws Exception {
        EventStore store = start(settings("n1", Map.of("n1", address()), true));
        for (String path : List.of(
                "",
                "measure/memory-64k/insert-events/0",
                "measure/memory-64k/insert-events/1000000001",
                "measure/memory-64k/insert-events/-1",
                "measure/memory-3m/insert-events/1",
                "measure/memory-0k/insert-events/1",
                "measure/tape-64k/insert-events/1",
                "measure/memory-64k/delete-events/1")) {
            assertThat(get(store, path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(count(store)).isEqualTo("{\"events\":0,\"inserted\":0}");
    }

    @Test
    void threePeersHaveTheSameEventsAndGoOnWithoutTheirLeader() throws Exception {
        Map<String, InetSocketAddress> peers = new LinkedHashMap<>();
        for (String name : List.of("n1", "n2", "n3")) {
            peers.put(name, address());
        }
        for (String name : peers.keySet()) {
            started.add(new EventStore(settings(name, peers, false)));
        }
        for (EventStore store : started) {
            awaitReady(store);
        }
        assertThat(get(started.get(1), "measure/memory-4k/insert-events/10000").statusCode())
                .isEqualTo(200);
        for (EventStore store : started) {
            assertThat(count(store)).isEqualTo("{\"events\":10000,\"inserted\":10000}");
        }

        EventStore leader = started.stream()
                .filter(store -> store.peer.isReady())
                .findFirst()
                .orElseThrow();
        String name = leader.peer.server.getId().toString();
        leader.close();
        started.remove(leader);
        clean(started.get(0));
        assertThat(get(started.get(1), "measure/disk-64k/insert-events/500").statusCode())
                .isEqualTo(200);
        EventStore back = start(settings(name, peers, false));
        for (EventStore store : List.of(back, started.get(0), started.get(1))) {
            assertThat(count(store)).isEqualTo("{\"events\":500,\"inserted\":10500}");
        }
    }

    @Test
    void aSnapshotReplacesTheLogBeforeIt() throws Exception {
        Settings settings = settings("n1", Map.of("n1", address()), true);
        EventStore store = start(settings);
        // 60 MB in entries of 64 KiB, with 16 MB in a file of the log.
        assertThat(get(store, "measure/memory-64k/insert-events/600000").statusCode())
                .isEqualTo(200);
        assertThat(bytes(folder.resolve("n1/log"))).isLessThan(40_000_000);
        store.close();
        started.clear();
        try (Events saved = new Events(folder.resolve("n1/events.mv"))) {
            assertThat(saved.saved().getIndex()).isGreaterThan(600_000 / 655 - Peer.SNAPSHOT_EVERY);
        }
        assertThat(count(start(settings))).isEqualTo("{\"events\":600000,\"inserted\":600000}");
    }

    @Test
    void aRepeatedCommandIsAppliedOnce() throws Exception {
        EventStore store = start(settings("n1", Map.of("n1", address()), true));
        // Ratis recognises the same call.
        EmbeddedRaft raft = (EmbeddedRaft) store.raft;
        RaftClientRequest request =
                raft.request(1000, new Command.MakeToken().message(), RaftClientRequest.writeRequestType());
        Reply once = reply(raft.submit(request).join());
        assertThat(reply(raft.submit(request).join())).isEqualTo(once);
        assertThat(raft.send(new Command.MakeToken()).join().value()).isEqualTo(once.value() + 1);

        // The store recognises the same batch in another call, as after the time for which Ratis remembers calls.
        assertThat(raft.send(batch(7, 0, 3)).join()).isEqualTo(Reply.of(3));
        assertThat(raft.send(batch(7, 0, 3)).join()).isEqualTo(Reply.of(3));
        assertThat(raft.send(batch(7, 4, 5)).join().refusal()).isEqualTo("expected event 3, got 4");
        assertThat(raft.send(batch(7, 3, 5)).join()).isEqualTo(Reply.of(5));
        assertThat(count(store)).isEqualTo("{\"events\":5,\"inserted\":5}");
        clean(store);
        assertThat(raft.send(batch(7, 0, 3)).join()).isEqualTo(Reply.of(0));
        assertThat(count(store)).isEqualTo("{\"events\":0,\"inserted\":5}");
    }

    @Test
    void aDamagedEventIsNotCounted() {
        try (Events events = new Events(folder.resolve("events.mv"))) {
            ByteBuffer bytes = ByteBuffer.allocate(2 * Event.BYTES);
            Event.write(0, bytes);
            Event.write(1, bytes);
            bytes.put(150, (byte) ~bytes.get(150));
            events.apply(new Command.Insert(7, 0, ByteString.copyFrom(bytes.flip())));
            assertThatThrownBy(events::count)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("event 1 isn't as it was written");
        }
    }

    @Test
    void optionsThatAreWrongAreNamed() {
        for (String arguments : List.of(
                "n1",
                "n1 n1=a:1 a:3 folder embed",
                "n1 n1=a:66000 a:3 folder",
                "n1 n1=a:1 a folder",
                "n3 n1=a:1,n2=b:2 a:3 folder",
                "n1 n1=a:1,n2=b:2 a:3 folder embedded")) {
            assertThatThrownBy(() -> Settings.of(arguments.split(" ")))
                    .as(arguments)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching("(?s).*(expected|needs) .*");
        }
        assertThat(Settings.of("n2 n1=a:1,n2=b:2 a:3 folder".split(" ")).peers().keySet())
                .containsExactly("n1", "n2");
    }

    private EventStore start(Settings settings) throws IOException, InterruptedException {
        EventStore store = new EventStore(settings);
        started.add(store);
        awaitReady(store);
        return store;
    }

    private static void awaitReady(EventStore store) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            try {
                store.raft.count().orTimeout(5, TimeUnit.SECONDS).join();
                return;
            } catch (CompletionException e) {
                // There is no leader yet, or it never answers: a peer that comes back can be in its way.
                if (System.nanoTime() - start > READY.toNanos()) {
                    throw e;
                }
                Thread.sleep(50);
            }
        }
    }

    private Settings settings(String name, Map<String, InetSocketAddress> peers, boolean embedded) {
        return new Settings(
                name, peers, InetSocketAddress.createUnresolved("127.0.0.1", 0), folder.resolve(name), embedded);
    }

    private static InetSocketAddress address() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return InetSocketAddress.createUnresolved("127.0.0.1", socket.getLocalPort());
        }
    }

    private static Command batch(long insertion, long first, long next) {
        ByteBuffer events = ByteBuffer.allocate((int) (next - first) * Event.BYTES);
        for (long event = first; event < next; event++) {
            Event.write(event, events);
        }
        return new Command.Insert(insertion, first, ByteString.copyFrom(events.flip()));
    }

    private static Reply reply(RaftClientReply reply) {
        return Reply.of(reply.getMessage());
    }

    private static void clean(EventStore store) throws Exception {
        String token = send(store, "DELETE", "data", "").body().replaceAll(".*\"(t\\d+)\".*", "$1");
        assertThat(send(store, "POST", "clean", token).statusCode()).isEqualTo(200);
    }

    private static String count(EventStore store) throws Exception {
        return get(store, "count").body();
    }

    private static HttpResponse<String> get(EventStore store, String path) throws Exception {
        return send(store, "GET", path, "");
    }

    private static HttpResponse<String> send(EventStore store, String method, String path, String body)
            throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + store.endpoints.port() + "/" + path);
        return HTTP.send(
                HttpRequest.newBuilder(uri)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
