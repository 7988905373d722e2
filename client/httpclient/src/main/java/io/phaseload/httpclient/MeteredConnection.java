package io.phaseload.httpclient;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.impl.io.DefaultManagedHttpClientConnection;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParserFactory;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.HttpMessageParserFactory;
import org.apache.hc.core5.http.io.SessionInputBuffer;

/**
 * A connection that reports to the meter of its thread what it reads, and whether it was found closed. HttpClient takes
 * the end of the stream for the end of a line, and so for the end of a header or of chunks; here it is a failure. Bytes
 * that nobody asked for would be read as the response to the next request: such a connection isn't used again. Used by
 * one thread at a time, as leased.
 */
final class MeteredConnection extends DefaultManagedHttpClientConnection {

    private boolean ended;
    private boolean chunked;
    private boolean used;

    private final UnreadInput unread;

    private MeteredConnection(UnreadInput unread) {
        super("phaseload", null, null, null, null, null, null, unread);
        this.unread = unread;
    }

    /** A new one; its socket is bound later. */
    static ManagedHttpClientConnection create(Socket socket) throws IOException {
        MeteredConnection connection = new MeteredConnection(new UnreadInput());
        if (socket != null) {
            connection.bind(socket);
        }
        return connection;
    }

    @Override
    public void bind(Socket socket) throws IOException {
        bind(new MeteredHolder(socket));
    }

    @Override
    public void bind(SSLSocket secured, Socket socket) throws IOException {
        bind(new MeteredHolder(secured, socket));
    }

    @Override
    public ClassicHttpResponse receiveResponseHeader() throws HttpException, IOException {
        ended = false;
        chunked = false;
        try {
            ClassicHttpResponse response = super.receiveResponseHeader();
            used = true;
            if (!ended) {
                return response;
            }
        } catch (HttpException e) {
            if (!ended) {
                throw e;
            }
        }
        throw new ConnectionClosedException("the connection ended within a header");
    }

    @Override
    public void receiveResponseEntity(ClassicHttpResponse response) throws HttpException, IOException {
        super.receiveResponseEntity(response);
        chunked = response.getEntity().isChunked();
    }

    /** {@code false} closes it when its lease ends. */
    @Override
    public boolean isConsistent() {
        return super.isConsistent() && !unread.isBuffered();
    }

    /** An unread response that came while nobody leased it is a failure of this request. */
    @Override
    public void sendRequestHeader(ClassicHttpRequest request) throws HttpException, IOException {
        if (used && ensureOpen().getInputStream().available() > 0) {
            throw new ProtocolException("The server sent a response without a request");
        }
        super.sendRequestHeader(request);
    }

    @Override
    public boolean isStale() throws IOException {
        boolean stale = true;
        try {
            stale = super.isStale();
            return stale;
        } finally {
            if (stale) {
                ExchangeMeter.current().foundClosed();
            }
        }
    }

    private final class MeteredHolder extends SocketHolder {

        MeteredHolder(Socket socket) {
            super(socket);
        }

        MeteredHolder(SSLSocket secured, Socket socket) {
            super(secured, socket);
        }

        @Override
        protected InputStream getInputStream(Socket socket) throws IOException {
            return new MeteredInput(super.getInputStream(socket));
        }
    }

    /** Keeps hold of the connection's buffer, which is given to its parsers alone. */
    private static final class UnreadInput implements HttpMessageParserFactory<ClassicHttpResponse> {

        private SessionInputBuffer buffer;

        boolean isBuffered() {
            return buffer != null && buffer.length() > 0;
        }

        @Override
        @Deprecated
        public HttpMessageParser<ClassicHttpResponse> create(Http1Config config) {
            return create();
        }

        @Override
        public HttpMessageParser<ClassicHttpResponse> create() {
            HttpMessageParser<ClassicHttpResponse> parser = DefaultHttpResponseParserFactory.INSTANCE.create();
            return (input, stream) -> {
                buffer = input;
                return parser.parse(input, stream);
            };
        }
    }

    private final class MeteredInput extends FilterInputStream {

        MeteredInput(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int count = super.read(bytes, from, length);
            if (count > 0) {
                ExchangeMeter.current().read(count);
            } else if (count < 0) {
                ended = true;
                if (chunked) {
                    throw new ConnectionClosedException("the connection ended within chunks");
                }
            }
            return count;
        }
    }
}
