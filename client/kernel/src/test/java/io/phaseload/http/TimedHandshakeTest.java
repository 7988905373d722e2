package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThatIOException;

import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A handshake ends in time also with a peer that never stops sending. */
@Timeout(30)
class TimedHandshakeTest {

    @ParameterizedTest
    @CsvSource({"silence, false", "a record in drips, true", "warnings, true"})
    void itEndsInTime(String what, boolean sends) throws Exception {
        byte[] begin = {22, 3, 3, 0x40, 0};
        byte[] warning = {21, 3, 3, 0, 2, 1, 90};
        boolean warns = what.equals("warnings");
        Script peers = peer -> {
            peer.write(warns || !sends ? new byte[0] : begin);
            while (sends) {
                peer.write(warns ? warning : Arrays.copyOf(begin, 1));
                peer.pause(Duration.ofMillis(2));
            }
            peer.awaitHangUp();
        };
        try (MisbehavingServer server = MisbehavingServer.start(peers);
                Socket plain = new Socket(server.uri().getHost(), server.uri().getPort());
                SSLSocket secured = (SSLSocket)
                        SSLContext.getDefault().getSocketFactory().createSocket(plain, "localhost", 1, true)) {
            assertThatIOException().isThrownBy(() -> TimedHandshake.start(secured, plain, Duration.ofMillis(100)));
        }
    }
}
