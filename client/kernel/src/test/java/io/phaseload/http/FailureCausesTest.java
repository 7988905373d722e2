package io.phaseload.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.response.MalformedException;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.Outcome.ClientFault;
import io.phaseload.measure.Outcome.MalformedResponse;
import io.phaseload.measure.Outcome.Reset;
import io.phaseload.measure.Outcome.Reset.Stage;
import io.phaseload.measure.Outcome.TlsFailure;
import java.io.EOFException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of causes; for those, too, that a test can't bring about on every machine. */
class FailureCausesTest {

    static Stream<Arguments> connectFailures() {
        return Stream.of(
                Arguments.of(new ConnectException("Connection refused"), Outcome.NoResponse.CONNECT_REFUSED),
                Arguments.of(new SocketTimeoutException("Connect timed out"), Outcome.NoResponse.CONNECT_TIMEOUT),
                Arguments.of(new ConnectException("Connection timed out"), Outcome.NoResponse.CONNECT_TIMEOUT),
                Arguments.of(
                        new UnknownHostException("a.invalid: Name or service not known"),
                        new ClientFault("unknown host", "a.invalid: Name or service not known")),
                Arguments.of(
                        new UnknownHostException("a: Temporary failure in name resolution"),
                        new ClientFault("unknown host", "a: Temporary failure in name resolution")),
                Arguments.of(
                        new BindException("Address already in use"),
                        new ClientFault("no free local port", "Address already in use")),
                Arguments.of(
                        new NoRouteToHostException("Cannot assign requested address"),
                        new ClientFault("no free local port", "Cannot assign requested address")),
                Arguments.of(
                        new ConnectException("Cannot assign requested address"),
                        new ClientFault("no free local port", "Cannot assign requested address")),
                Arguments.of(
                        new NoRouteToHostException("No route to host"),
                        new ClientFault("no route to host", "No route to host")),
                Arguments.of(
                        new ConnectException("Network is unreachable"),
                        new ClientFault("no route to host", "Network is unreachable")),
                Arguments.of(
                        new SocketException("Network is unreachable"),
                        new ClientFault("no route to host", "Network is unreachable")),
                Arguments.of(
                        new SocketException("Too many open files"),
                        new ClientFault("too many open files", "Too many open files")),
                Arguments.of(new SocketException("Connection reset"), new Reset(Stage.BEFORE_RESPONSE)),
                Arguments.of(
                        new SSLHandshakeException("PKIX path building failed"),
                        new TlsFailure("PKIX path building failed")),
                Arguments.of(new SSLPeerUnverifiedException("wrong name"), new TlsFailure("wrong name")),
                Arguments.of(
                        new SocketException("Permission denied"),
                        new ClientFault("SocketException", "java.net.SocketException: Permission denied")));
    }

    @ParameterizedTest
    @MethodSource("connectFailures")
    void ofConnect(Exception failure, Outcome expected) {
        assertThat(FailureCauses.ofConnect(failure)).isEqualTo(expected);
    }

    static Stream<Arguments> exchangeFailures() {
        return Stream.of(
                Arguments.of(new SocketException("Connection reset"), new Reset(Stage.IN_BODY)),
                Arguments.of(new SocketException("Connection reset by peer"), new Reset(Stage.IN_BODY)),
                Arguments.of(new SocketException("Broken pipe"), new Reset(Stage.IN_BODY)),
                Arguments.of(
                        new SocketException("Software caused connection abort: recv failed"), new Reset(Stage.IN_BODY)),
                Arguments.of(new EndOfStreamException(), new Reset(Stage.IN_BODY)),
                Arguments.of(
                        new SSLException("reset", new SocketException("Connection reset")), new Reset(Stage.IN_BODY)),
                Arguments.of(new SSLException("eof", new EOFException("peer shut down")), new TlsFailure("eof")),
                Arguments.of(new SSLException("bad record MAC"), new TlsFailure("bad record MAC")),
                Arguments.of(new MalformedException("bad"), new MalformedResponse("bad")),
                Arguments.of(
                        new IOException("Too many open files"),
                        new ClientFault("too many open files", "Too many open files")),
                Arguments.of(
                        new IllegalStateException("oops"),
                        new ClientFault("IllegalStateException", "java.lang.IllegalStateException: oops")));
    }

    @ParameterizedTest
    @MethodSource("exchangeFailures")
    void ofExchange(Exception failure, Outcome expected) {
        assertThat(FailureCauses.ofExchange(failure, Stage.IN_BODY)).isEqualTo(expected);
    }
}
