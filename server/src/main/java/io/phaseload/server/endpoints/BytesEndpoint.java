package io.phaseload.server.endpoints;

import io.phaseload.service.ServiceResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;

/** {@code GET /bytes/{n}}: n bytes, the alphabet over and over. */
public final class BytesEndpoint extends Endpoint {

    static final int MAX_BYTES = 64 << 20;

    private static final int LETTERS = 26;

    // A whole number of alphabets, so that blocks follow one another seamlessly.
    private final byte[] block = new byte[LETTERS * 1024];

    public BytesEndpoint(RequestTracker tracker) {
        super(tracker, GET);
        for (int i = 0; i < block.length; i++) {
            block[i] = (byte) ('a' + i % LETTERS);
        }
    }

    @Override
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int length = (int) number(rest(request), MAX_BYTES);
        if (length < 0) {
            send(response, ServiceResponse.error(400, "expected /bytes/ and a number from 0 to " + MAX_BYTES));
            return;
        }
        announceClose(response);
        response.setContentType("application/octet-stream");
        response.setContentLength(length);
        if (request.getMethod().equals("HEAD")) {
            return;
        }
        OutputStream out = response.getOutputStream();
        for (int left = length; left > 0; left -= block.length) {
            out.write(block, 0, Math.min(left, block.length));
        }
    }
}
