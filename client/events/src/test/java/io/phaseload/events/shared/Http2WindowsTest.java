package io.phaseload.events.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.engine.Engines;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.Http2Windows;
import io.phaseload.plan.engine.Protocol;
import io.phaseload.run.RunListener;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much a server may send over HTTP/2 before it is read. */
@Timeout(60)
class Http2WindowsTest {

    private static final int SETTINGS = 4;
    private static final int WINDOW_UPDATE = 8;
    private static final int INITIAL_WINDOW_SIZE = 4;

    @Test
    void defaultsAreThoseOfBrowsers() throws Exception {
        assertThat(announced(new Protocol.Http2(1).windows())).containsExactly(6 << 20, 15 << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"65535,65535", "65535,64KiB", "1MiB,2147483647"})
    void comeFromThePlan(String text) throws Exception {
        Http2Windows windows = Http2Windows.parse(text);

        assertThat(announced(windows)).containsExactly(windows.stream(), windows.connection());
    }

    /** Of a stream and of the connection, as a server hears them before anything else. */
    private static List<Integer> announced(Http2Windows asked) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<List<Integer>> heard = new CompletableFuture<>();
            Thread server = new Thread(() -> {
                try (Socket socket = listening.accept()) {
                    heard.complete(readWindows(socket));
                } catch (Exception e) {
                    heard.completeExceptionally(e);
                }
            });
            server.start();
            URI uri = URI.create("http://127.0.0.1:" + listening.getLocalPort());
            EngineSettings engine = EngineSettings.builder("events")
                    .protocol(new Protocol.Http2(1, asked))
                    .build();
            Plan plan = Plan.builder(uri)
                    .threads(1)
                    .iterations(1)
                    .operations(Operation.get("/"))
                    .engine(engine)
                    .build();
            CompletableFuture<Void> run = CompletableFuture.runAsync(
                    () -> Engines.create(plan, RunListener.NONE).run());
            List<Integer> windows = heard.join();
            listening.close();
            run.join();
            server.join();
            return windows;
        }
    }

    private static List<Integer> readWindows(Socket socket) throws Exception {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        // The settings, what may follow them at once, and the acknowledgement of ours.
        socket.getOutputStream().write(new byte[] {0, 0, 0, SETTINGS, 0, 0, 0, 0, 0});
        in.readNBytes(24);
        int stream = 0;
        int connection = Http2Windows.LEAST;
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            boolean acknowledges = in.readUnsignedByte() != 0;
            in.readInt();
            if (type == SETTINGS && acknowledges) {
                return new ArrayList<>(List.of(stream, connection));
            }
            if (type == WINDOW_UPDATE) {
                connection += in.readInt();
            } else {
                for (int left = length; left > 0; left -= 6) {
                    int key = in.readUnsignedShort();
                    int value = in.readInt();
                    stream = key == INITIAL_WINDOW_SIZE ? value : stream;
                }
            }
        }
    }

    /** They have to be widened again and again, in steps of half of them. */
    @Test
    void responsesLargerThanSmallWindowsAreReadToTheirEnd() {
        int length = 3_000_000;
        Http2Windows small = new Http2Windows(Http2Windows.LEAST, Http2Windows.LEAST);
        try (Http2Server server = new Http2Server(request -> request.answer(200, length));
                SharedClient client = new SharedClient(Target.of(server.uri()), null, 3, small)) {
            assertThat(client.sendAll(Operation.get("/")))
                    .extracting(CompletableFuture::join)
                    .extracting(Exchange::outcome)
                    .containsOnly(Outcome.SUCCESS);
        }
    }
}
