package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import io.phaseload.cli.command.CliCommand;
import io.phaseload.cli.command.Console;
import io.phaseload.cli.command.ExitCode;
import io.phaseload.cli.command.GeneralOptions.Color;
import io.phaseload.server.ServerSettings;
import io.phaseload.server.TargetServer;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code plan --trace} shows of steps with a WebSocket, at rooms that echo. */
@Timeout(60)
class SocketTraceTest {

    @TempDir
    private Path folder;

    @Test
    void eachStepIsShownWithItsMessagesAndWithoutSecrets() throws IOException {
        Cli trace = trace(
                """
                        variables: {token: hunter2}
                        scenarios:
                          - name: chat
                            steps:
                              - connect: "/rooms/{user}?mode=echo&said={token}"
                                headers: {X-Key: "7", X-Said: "I am {token}", Authorization: abc}
                                subprotocols: [chat.v1]
                              - send: "hello {token}\\nand\\x1f one"
                              - send: '{"id": "s3cret", "n": 2}'
                                name: say
                              - expect: {json: {/n: 2}}
                                extract: {n: "json:/n", password: "json:/id"}
                              - send: {binary: "hex:0068756e74657232ff"}
                              - expect: {binary: "hex:0068756e74657232ff"}
                              - ping: 5s
                              - close: 1000
                        """);
        assertThat(trace.err()).isEmpty();
        assertThat(trace.code()).isZero();
        assertThat(comparable(trace))
                .isEqualTo(
                        """
                        Scenario chat:

                        # connect /rooms/{user}?mode=echo&said={token}
                        > GET /rooms/0?mode=echo&said=[redacted]
                        > Accept: */*
                        > Authorization: [redacted]
                        > Host: HOST
                        > User-Agent: phaseload
                        > X-Key: 7
                        > X-Said: I am [redacted]
                        > Sec-WebSocket-Protocol: chat.v1
                        < 101 after TIME
                        < Upgrade: websocket
                        < Connection: upgrade
                        < Sec-WebSocket-Accept: ACCEPT
                        < Sec-WebSocket-Protocol: chat.v1
                        < Date: DATE

                        # send
                        > hello [redacted]
                        > and\\x1f one

                        # say
                        > {"id": "s3cret", "n": 2}

                        # expect
                        < hello [redacted]
                        < and\\x1f one
                        < {"id": "[redacted]", "n": 2}
                        = n: 2
                        = password: [redacted]

                        # send #2
                        > hex:00[redacted]ff

                        # expect #2
                        < hex:00[redacted]ff

                        # ping
                        > ping
                        < pong after TIME

                        # close
                        > close 1000
                        < closed after TIME

                        """);
    }

    @Test
    void failuresAreShownWithTheirCauses() throws IOException {
        Cli trace = trace(
                """
                        scenarios:
                          - name: failures
                            steps:
                              - {send: "", onFailure: continue}
                              - {connect: /nowhere, onFailure: continue}
                              - connect: /rooms/{user}?mode=echo
                              - send: other
                              - expect: {text: hello, within: 300ms}
                                onFailure: continue
                              - send: hello
                              - {expect: {text: hello}, extract: {n: "json:/n"}, onFailure: continue}
                              - send: LONG
                        """
                        .replace("LONG", "x".repeat(2_001)));
        assertThat(trace.code()).isEqualTo(ExitCode.NOTHING_SUCCEEDED);
        assertThat(comparable(trace))
                .startsWith(
                        """
                        Scenario failures:

                        # send
                        >
                        ! failed after TIME: not connected

                        # connect /nowhere
                        """)
                .contains(
                        """
                        < 404 after TIME
                        < Content-Type: application/json
                        < Content-Length: 39
                        < Date: DATE
                        ! failed after TIME: http 404

                        """,
                        """
                        # expect
                        < other
                        ! failed after TIME: expected message not received within 300ms: \
                        the last message was other

                        # send #3
                        > hello

                        # expect #2
                        < hello
                        ! failed after TIME: no n in expect #2: hello

                        # send #4
                        """)
                .endsWith("> " + "x".repeat(2_000) + "\n> … 2,001 characters\n\n");
    }

    /** What is printed is far behind, and the server's connection is over all the same. */
    @Test
    void aTerminalThatTakesNothingHoldsNothingUp() throws Exception {
        Path plan = Files.writeString(
                folder.resolve("plan.yaml"),
                """
                        scenarios:
                          - name: chat
                            steps:
                              - connect: /rooms/{user}?mode=echo
                              - send: hello
                              - expect: {text: hello}
                              - close: 1000
                        """);
        try (TargetServer server =
                TargetServer.start(ServerSettings.builder().port(0).build())) {
            ByteArrayOutputStream shown = new ByteArrayOutputStream();
            BlockedTerminal terminal = new BlockedTerminal(shown, server);
            PrintStream out = new PrintStream(terminal, false, StandardCharsets.UTF_8);
            int code = new CliCommand("plan", new PlanCommand())
                    .run(
                            new Console(InputStream.nullInputStream(), out, out, Color.AUTO),
                            "--plan",
                            plan.toString(),
                            "--trace",
                            "--url",
                            server.url().toString());
            assertThat(code).isZero();
            assertThat(shown.toString(StandardCharsets.UTF_8))
                    .startsWith("Scenario chat:")
                    .contains("> close 1000");
        }
    }

    /** Takes nothing until a server's only client has come and gone. */
    private static final class BlockedTerminal extends FilterOutputStream {

        private final TargetServer server;

        BlockedTerminal(OutputStream out, TargetServer server) {
            super(out);
            this.server = server;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            while (server.messages().opened() == 0 || server.messages().connections() > 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedIOException();
                }
                Thread.yield();
            }
            out.write(bytes, from, length);
        }
    }

    private Cli trace(String scenarios) throws IOException {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), scenarios);
        try (TargetServer server =
                TargetServer.start(ServerSettings.builder().port(0).build())) {
            return Cli.run("plan", "--plan", plan, "--trace", "--url", server.url());
        }
    }

    /** What is the same each time. */
    private static String comparable(Cli trace) {
        return trace.out()
                .replaceAll("Accept: [^*\n]+", "Accept: ACCEPT")
                .replaceAll("Date: .*", "Date: DATE")
                .replaceAll("Host: 127.0.0.1:\\d+", "Host: HOST")
                .replaceAll("after \\d+\\.\\d ms", "after TIME");
    }
}
