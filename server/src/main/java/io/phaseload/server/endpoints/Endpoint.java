package io.phaseload.server.endpoints;

import io.phaseload.service.ServiceResponse;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;

/**
 * A servlet of the target. Not an {@code HttpServlet}, which is serializable and has its own way of answering methods
 * that an endpoint doesn't support.
 */
public abstract class Endpoint implements Servlet {

    static final List<String> GET = List.of("GET", "HEAD");

    private static final int FIRST_BUFFER = 8192;

    private final RequestTracker tracker;
    private final List<String> allowed;
    private ServletConfig config;

    /** Makes an endpoint with the methods it has; empty for any, which it judges itself. */
    Endpoint(RequestTracker tracker, List<String> allowed) {
        this.tracker = tracker;
        this.allowed = allowed;
    }

    /** Answers a request with an allowed method. */
    abstract void handle(HttpServletRequest request, HttpServletResponse response) throws IOException;

    @Override
    public final void service(ServletRequest request, ServletResponse response) throws IOException {
        HttpServletRequest asked = (HttpServletRequest) request;
        if (allowed.isEmpty() || allowed.contains(asked.getMethod())) {
            handle(asked, (HttpServletResponse) response);
        } else {
            ServiceResponse refusal = ServiceResponse.notAllowed(asked.getMethod(), String.join(", ", allowed));
            send((HttpServletResponse) response, refusal);
        }
    }

    /** Sends a response and flushes it. */
    final void send(HttpServletResponse response, ServiceResponse answer) throws IOException {
        announceClose(response);
        write(response, answer);
    }

    /** Call this before a response is started: while the server drains, connections are closed. */
    final void announceClose(HttpServletResponse response) {
        if (tracker.isDraining()) {
            response.setHeader("Connection", "close");
        }
    }

    /** Writes an answer; the container leaves the body out if the request is a HEAD. */
    public static void write(HttpServletResponse response, ServiceResponse answer) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        // Without a length, an empty body would be sent as a chunked one, where there can be one.
        if (answer.status() != 204 && answer.status() != 304) {
            response.setContentLength(answer.body().length);
        }
        if (answer.body().length > 0) {
            response.getOutputStream().write(answer.body());
        }
    }

    /**
     * Reads the body of a request.
     *
     * @return the body, or null if it is longer than {@code limit}; no more than that is read
     */
    static byte[] body(HttpServletRequest request, int limit) throws IOException {
        InputStream in = request.getInputStream();
        int length = request.getContentLength();
        if (length < 0) {
            return bodyOfUnknownLength(in, limit);
        }
        if (length > limit) {
            return null;
        }
        byte[] body = new byte[length];
        if (in.readNBytes(body, 0, length) < length) {
            throw new IOException("the connection ended within the body");
        }
        return body;
    }

    // Not InputStream.readNBytes(int): once it has all it wants, it asks for 0 bytes more, and
    // Tomcat's
    // stream then waits for the client to send some.
    private static byte[] bodyOfUnknownLength(InputStream in, int limit) throws IOException {
        byte[] buffer = new byte[Math.min(limit + 1, FIRST_BUFFER)];
        int length = 0;
        while (true) {
            length += in.readNBytes(buffer, length, buffer.length - length);
            if (length < buffer.length) {
                return Arrays.copyOf(buffer, length);
            }
            // One byte too many is enough to tell.
            if (length > limit) {
                return null;
            }
            buffer = Arrays.copyOf(buffer, (int) Math.min(2L * length, limit + 1L));
        }
    }

    /** Reads a whole number; -1 if it isn't one, or is more than {@code most}. */
    static long number(String text, long most) {
        if (text == null || text.isEmpty()) {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
            if (number > most) {
                return -1;
            }
        }
        return number;
    }

    /** The rest of the path after the endpoint's own path and a slash; may be empty. */
    static String rest(HttpServletRequest request) {
        String path = request.getPathInfo();
        return path == null ? "" : path.substring(1);
    }

    @Override
    public final void init(ServletConfig servletConfig) {
        config = servletConfig;
    }

    @Override
    public final ServletConfig getServletConfig() {
        return config;
    }

    @Override
    public final String getServletInfo() {
        return "";
    }

    @Override
    public final void destroy() {
        // Nothing to release.
    }
}
