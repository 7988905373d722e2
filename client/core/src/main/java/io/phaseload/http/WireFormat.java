package io.phaseload.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ContentLengthStrategy;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.HttpMessageWriter;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.http.io.SessionOutputBuffer;

/** Where HttpCore's reading and writing is made leaner (requests) and stricter (responses). */
final class WireFormat {

    private static final Http1Config LIMITS =
            // HttpCore refuses the header that reaches the number, not the one that exceeds it.
            Http1Config.custom().setMaxLineLength(64 << 10).setMaxHeaderCount(1_001).build();

    private WireFormat() {}

    static DefaultBHttpClientConnection newConnection() {
        return new StrictConnection();
    }

    /**
     * HttpCore's connection with a leniency taken out: it takes the end of the stream for the end
     * of a chunked body's last line or trailers.
     */
    private static final class StrictConnection extends DefaultBHttpClientConnection {

        StrictConnection() {
            super(
                    LIMITS,
                    null,
                    null,
                    null,
                    null,
                    PreparedWriter::new,
                    config -> new StrictParser());
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

    /**
     * HttpCore's parser with two leniencies taken out that would make a broken response a success:
     * it takes the end of the stream for the end of a header, and it takes bytes that came before
     * the request was sent for its response.
     */
    private static final class StrictParser implements HttpMessageParser<ClassicHttpResponse> {

        private final DefaultHttpResponseParser parser = new DefaultHttpResponseParser(LIMITS);
        private InputStream socketStream;
        private InputStream strictStream;
        private boolean afterInterim;

        @Override
        public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream stream)
                throws IOException, HttpException {
            if (buffer.length() > 0 && !afterInterim) {
                throw new ProtocolException("bytes before the request was sent");
            }
            if (stream != socketStream) {
                socketStream = stream;
                strictStream = new EndIsAnError(stream);
            }
            ClassicHttpResponse response = parser.parse(buffer, strictStream);
            afterInterim = response != null && response.getCode() < 200;
            return response;
        }
    }

    private static final class EndIsAnError extends FilterInputStream {

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
}
