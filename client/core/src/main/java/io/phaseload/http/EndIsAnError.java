package io.phaseload.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ConnectionClosedException;

/** A stream that mustn't end yet. */
class EndIsAnError extends FilterInputStream {

    EndIsAnError(InputStream stream) {
        super(stream);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        if (read < 0) {
            throw new ConnectionClosedException("closed before the response was complete");
        }
        return read;
    }
}
