package io.phaseload.httpclient;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.impl.io.DefaultManagedHttpClientConnection;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.core5.http.impl.io.SocketHolder;

/**
 * A connection that tells the meter of the thread that uses it what it reads, and whether it was
 * found closed. Used by one thread at a time, as leased.
 */
final class MeteredConnection extends DefaultManagedHttpClientConnection {

    private MeteredConnection() {
        super("phaseload");
    }

    /** A new one; its socket is bound later. */
    static ManagedHttpClientConnection create(Socket socket) throws IOException {
        MeteredConnection connection = new MeteredConnection();
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

    private static final class MeteredHolder extends SocketHolder {

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

    private static final class MeteredInput extends FilterInputStream {

        MeteredInput(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int count = super.read(bytes, from, length);
            if (count > 0) {
                ExchangeMeter.current().read(count);
            }
            return count;
        }
    }
}
