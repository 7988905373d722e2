package io.phaseload.live;

import com.sun.net.httpserver.HttpExchange;
import io.phaseload.plan.LoadChange.Kind;
import io.phaseload.result.ChangedLoad;
import io.phaseload.run.Steering;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes a run's load by HTTP: a {@code POST} of {@code {"change": "rate", "to": "200/s"}} is answered with the
 * change, or with an error; a {@code GET} with the load of the phase that runs.
 */
public final class Control implements LiveServer.Part {

    private static final String JSON = "application/json";
    private static final int MOST_BYTES = 1_000;

    private final String name;
    private final String origin;
    private volatile Steering run = Steering.refusing("expected a run that has begun", () -> {});

    private Control(String name, String origin) {
        this.name = name;
        this.origin = origin;
    }

    /** {@return the control of scripts} */
    public static Control ofScripts() {
        return new Control("control", Steering.CONTROL);
    }

    /** {@return the control of the page} */
    static Control ofPage() {
        return new Control("change", Steering.PAGE);
    }

    /**
     * The run begins.
     *
     * @param steering changes its load
     */
    public void begin(Steering steering) {
        run = steering;
    }

    @Override
    public boolean answer(HttpExchange exchange, String path) throws IOException {
        if (!path.equals(name)) {
            return false;
        }
        switch (exchange.getRequestMethod()) {
            case "POST" -> change(exchange);
            case "GET" -> LiveServer.answer(exchange, 200, JSON, load() + "\n");
            default -> error(exchange, 405, "expected GET or POST");
        }
        return true;
    }

    private void change(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
        try {
            JsonNode wanted = JsonMapper.shared().readTree(new String(body, StandardCharsets.UTF_8));
            if (body.length > MOST_BYTES || !wanted.path("change").isString()) {
                error(exchange, 400, "expected JSON such as {\"change\": \"rate\", \"to\": \"200/s\"}");
                return;
            }
            ChangedLoad done = ChangedLoad.of(run.steer(
                    Kind.of(wanted.path("change").asString()), wanted.path("to").asString(""), origin));
            LiveServer.answer(exchange, 200, JSON, JsonMapper.shared().writeValueAsString(done) + "\n");
        } catch (JacksonException e) {
            error(exchange, 400, "expected JSON such as {\"change\": \"rate\", \"to\": \"200/s\"}");
        } catch (IllegalArgumentException e) {
            error(exchange, 409, e.getMessage());
        }
    }

    private static void error(HttpExchange exchange, int status, String text) throws IOException {
        LiveServer.answer(exchange, status, JSON, SecondJson.object().put("error", text) + "\n");
    }

    /** {@return the load of the phase that runs as JSON: without members if it can't be changed} */
    ObjectNode load() {
        ObjectNode json = SecondJson.object();
        run.load().ifPresent(load -> json.put("phase", load.phase())
                .put("model", load.open() ? "open" : "closed")
                .put(load.open() ? "rate" : "users", load.level())
                .put("paused", load.paused()));
        return json;
    }
}
