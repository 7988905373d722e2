package io.phaseload.http.client;

import io.phaseload.http.socket.SocketCall;
import io.phaseload.http.socket.UserSocket;
import io.phaseload.measure.Exchange;
import io.phaseload.measure.Outcome;
import io.phaseload.measure.SendResult;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A user's WebSocket, which shows what is done with it, and the messages that are looked at.
 *
 * @param socket does it
 * @param lines show it, also in the socket's thread
 */
record TracingSocket(UserSocket socket, TraceLines lines) implements UserSocket {

    @Override
    public void perform(SocketCall call, Listener listener) {
        lines.step(call.name());
        show(call);
        socket.perform(call, new Listener() {
            private String head = "";

            @Override
            public void answered(byte[] lines) {
                head = new String(lines, StandardCharsets.ISO_8859_1);
                listener.answered(lines);
            }

            @Override
            public void received(byte[] message, boolean isText) {
                lines.message(TraceLines.RECEIVED, message, isText, call.secrets());
                listener.received(message, isText);
            }

            @Override
            public void performed(SendResult result, long roundTripNanos) {
                if (result instanceof Exchange exchange) {
                    show(call, exchange, head);
                }
                listener.performed(result, roundTripNanos);
            }
        });
    }

    private void show(SocketCall call) {
        List<String> secrets = call.secrets();
        if (call instanceof SocketCall.ConnectCall connect) {
            lines.request(connect.request(), secrets);
            if (!connect.subprotocols().isEmpty()) {
                String all = String.join(",", connect.subprotocols());
                lines.header(TraceLines.SENT, "Sec-WebSocket-Protocol", all, secrets);
            }
        } else if (call instanceof SocketCall.SendCall send) {
            lines.message(TraceLines.SENT, send.bytes(), send.isText(), secrets);
        } else if (call instanceof SocketCall.PingCall) {
            lines.out().accept(TraceLines.SENT + "ping");
        } else if (call instanceof SocketCall.CloseCall close) {
            lines.out().accept(TraceLines.SENT + "close " + close.code());
        }
    }

    private void show(SocketCall call, Exchange exchange, String head) {
        List<String> secrets = call.secrets();
        boolean succeeded = exchange.outcome() instanceof Outcome.Success;
        if (exchange.status() > 0) {
            lines.received(Integer.toString(exchange.status()), exchange);
        } else if (succeeded && call instanceof SocketCall.ExpectCall expect) {
            lines.taken(expect.valueNames(), expect.values(), secrets);
        } else if (succeeded && call instanceof SocketCall.PingCall) {
            lines.received("pong", exchange);
        } else if (succeeded && call instanceof SocketCall.CloseCall) {
            lines.received("closed", exchange);
        }
        lines.head(TraceLines.RECEIVED, head, secrets);
        lines.failure(exchange, secrets);
    }

    @Override
    public void close() {
        socket.close();
    }
}
