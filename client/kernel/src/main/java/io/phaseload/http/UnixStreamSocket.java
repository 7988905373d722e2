package io.phaseload.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/**
 * A Unix domain socket as a {@link Socket}, which the JDK doesn't offer. Thread-safe as one. Options of TCP have no
 * effect.
 */
final class UnixStreamSocket extends Socket {

    private final SocketChannel channel;

    private UnixStreamSocket(SocketChannel channel) {
        this.channel = channel;
    }

    static Socket open() throws IOException {
        return new UnixStreamSocket(SocketChannel.open(StandardProtocolFamily.UNIX));
    }

    @Override
    public void connect(SocketAddress address, int millis) throws IOException {
        channel.connect(address);
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public InputStream getInputStream() {
        return Channels.newInputStream(channel);
    }

    @Override
    public OutputStream getOutputStream() {
        return Channels.newOutputStream(channel);
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void setTcpNoDelay(boolean on) {
        // It has no delay.
    }

    @Override
    public void setSoLinger(boolean on, int linger) {
        // It leaves nothing behind.
    }

    @Override
    public void shutdownInput() throws IOException {
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
