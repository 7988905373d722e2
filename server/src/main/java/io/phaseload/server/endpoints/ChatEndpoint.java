package io.phaseload.server.endpoints;

import io.phaseload.server.streams.ChatChunks;
import io.phaseload.server.streams.StreamOptions;
import io.phaseload.service.JsonReader;
import io.phaseload.service.ServiceResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@code POST /v1/chat/completions}: what a model's API answers, token by token with {@code "stream": true}, in the
 * course that the query asks for.
 */
public final class ChatEndpoint extends EventStreamEndpoint {

    private static final int TOKENS = 16;
    private static final int MAX_TOKENS = 100_000;

    private final int maxBody;
    private final AtomicLong answers = new AtomicLong();

    public ChatEndpoint(RequestTracker tracker, Delays delays, int maxBody) {
        super(tracker, delays, List.of("POST"));
        this.maxBody = maxBody;
    }

    /** The text of a request's body. */
    private static final class Asked {

        private boolean stream;
        private int tokens = TOKENS;

        private void read(JsonReader value, String name) {
            switch (name) {
                case "stream" -> stream = value.flag();
                case "max_tokens", "max_completion_tokens" -> tokens = value.number();
                default -> {
                    // Any question has the same answer.
                }
            }
        }
    }

    @Override
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        byte[] body = body(request, maxBody);
        if (body == null) {
            send(response, ServiceResponse.tooLarge(maxBody));
            return;
        }
        Asked asked = new Asked();
        try {
            JsonReader.read(body, asked::read);
        } catch (IllegalArgumentException e) {
            send(response, ServiceResponse.error(400, e.getMessage()));
            return;
        }
        if (asked.tokens < 1 || asked.tokens > MAX_TOKENS) {
            send(response, ServiceResponse.error(400, "max_tokens: expected 1 to " + MAX_TOKENS));
            return;
        }
        StreamOptions options = options(request, response, asked.tokens);
        if (options != null) {
            ChatChunks chunks = new ChatChunks("chatcmpl-" + answers.incrementAndGet(), options.count());
            if (asked.stream) {
                stream(begin(response, options.type()), chunks, options);
            } else {
                send(response, ServiceResponse.json(200, chunks.whole()));
            }
        }
    }

    private static void stream(Events events, ChatChunks chunks, StreamOptions options) throws IOException {
        for (int token = 0; token < chunks.tokens(); token++) {
            if (!events.await(options.dueMillis(token))) {
                return;
            }
            if (token == 0) {
                events.send(data(chunks.role()));
            }
            events.send(data(chunks.chunk(token)));
            if (options.endsAfter(token + 1)) {
                return;
            }
        }
        events.send(data(chunks.stop()));
        events.send("data: " + ChatChunks.DONE);
    }

    private static String data(byte[] json) {
        return "data: " + new String(json, StandardCharsets.UTF_8);
    }
}
