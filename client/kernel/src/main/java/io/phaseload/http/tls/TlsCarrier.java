package io.phaseload.http.tls;

import io.phaseload.plan.Target;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * The socket under the JDK's TLS: it delegates to a real socket, except for the input, which can be read without
 * blocking.
 */
public final class TlsCarrier extends Socket {

    private final Socket socket;
    private final InputStream input;

    private TlsCarrier(Socket socket, InputStream input) {
        this.socket = socket;
        this.input = input;
    }

    /**
     * Starts TLS on a connected socket, and checks the host name as RFC 2818 says, unless the target is insecure.
     *
     * @param input of the socket; a {@link java.net.SocketTimeoutException} means that nothing has arrived
     * @throws IOException if the handshake fails
     */
    public static SSLSocket secure(SSLSocketFactory tls, Target target, Socket socket, InputStream input)
            throws IOException {
        SSLSocket secured =
                (SSLSocket) tls.createSocket(new TlsCarrier(socket, input), target.host(), target.port(), true);
        if (!target.insecure()) {
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
        }
        secured.startHandshake();
        return secured;
    }

    @Override
    public InputStream getInputStream() {
        return input;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return socket.getOutputStream();
    }

    @Override
    public InetAddress getInetAddress() {
        return socket.getInetAddress();
    }

    @Override
    public int getPort() {
        return socket.getPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return socket.getRemoteSocketAddress();
    }

    @Override
    public boolean isConnected() {
        return socket.isConnected();
    }

    @Override
    public boolean isClosed() {
        return socket.isClosed();
    }

    @Override
    public boolean isInputShutdown() {
        return socket.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return socket.isOutputShutdown();
    }

    @Override
    public void shutdownInput() throws IOException {
        socket.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return socket.getSoTimeout();
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        socket.setSoTimeout(millis);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return socket.getSoLinger();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    @Override
    public String toString() {
        return socket.toString();
    }
}
