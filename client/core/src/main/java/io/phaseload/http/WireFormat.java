package io.phaseload.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentLengthStrategy;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.io.HttpMessageWriter;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.http.io.SessionOutputBuffer;

/** Where HttpCore's reading and writing is made leaner (requests) and stricter (responses). */
final class WireFormat {

    private static final Http1Config LIMITS =
            Http1Config.custom().setMaxLineLength(64 << 10).build();

    private WireFormat() {}

    static DefaultBHttpClientConnection newConnection(ResponseHeadParser heads) {
        return new StrictConnection(heads);
    }

    /**
     * HttpCore's connection with a leniency taken out: it takes the end of the stream for the end
     * of a chunked body's last line or trailers.
     */
    private static final class StrictConnection extends DefaultBHttpClientConnection {

        StrictConnection(ResponseHeadParser heads) {
            super(LIMITS, null, null, null, null, PreparedWriter::new, config -> heads);
        }

        @Override
        protected InputStream createContentInputStream(
                long length, SessionInputBuffer buffer, InputStream stream) {
            InputStream strict =
                    length == ContentLengthStrategy.CHUNKED ? new EndIsAnError(stream) : stream;
            return super.createContentInputStream(length, buffer, strict);
        }
    }

    /** Writes a request that is encoded already. */
    private static final class PreparedWriter implements HttpMessageWriter<ClassicHttpRequest> {
        @Override
        public void write(ClassicHttpRequest request, SessionOutputBuffer buffer, OutputStream out)
                throws IOException {
            buffer.write(((PreparedRequest) request).wire(), out);
        }
    }
}
