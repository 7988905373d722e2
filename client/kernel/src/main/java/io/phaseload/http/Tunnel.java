package io.phaseload.http;

import io.phaseload.http.request.ProxyAuthorization;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Credentials;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a client asks a proxy for a tunnel: by {@code CONNECT} (RFC 9110 §9.3.6) or SOCKS 5 (RFC 1928). It does no I/O,
 * so that threads and event loops say the same. Owned by one connection.
 */
public final class Tunnel {

    /** A proxy makes no tunnel. */
    public static final class TunnelRefusedException extends IOException {

        private static final long serialVersionUID = 1L;

        private final int status;

        TunnelRefusedException(String reason) {
            this(reason, 0);
        }

        private TunnelRefusedException(String reason, int status) {
            super(reason);
            this.status = status;
        }

        /** {@return the status of its response; 0 if there is none} */
        int status() {
            return status;
        }
    }

    private static final int MOST_HEAD = 64 << 10;
    private static final byte[] NOTHING = {};
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([0-9]{3})(?s:[ \\r].*)");

    private static final byte[] NO_AUTHENTICATION = {5, 1, 0};
    private static final int IPV4 = 1;
    private static final int NAME = 3;
    private static final int IPV6 = 4;

    /** Of a SOCKS 5 proxy's answer, before its address. */
    private static final int REPLY_HEAD = 4;

    private final boolean http;
    // The last thing that the client says.
    private final byte[] request;
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
    private boolean greeted;
    private boolean done;

    private Tunnel(boolean http, byte[] request) {
        this.http = http;
        this.request = request;
    }

    static Tunnel http(Target target, Optional<Credentials> credentials) {
        String authority = target.uri().getHost() + ":" + target.port();
        StringBuilder head = new StringBuilder(200);
        head.append("CONNECT ").append(authority).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(authority).append("\r\n");
        credentials.ifPresent(secret -> head.append("Proxy-Authorization: ")
                .append(ProxyAuthorization.basic(secret))
                .append("\r\n"));
        return new Tunnel(true, head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * With SOCKS 5.
     *
     * @param service its address; {@code null} if the proxy is to look up the name
     */
    static Tunnel socks(String host, @Nullable InetAddress service, int port) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {5, 1, 0});
        if (service == null) {
            byte[] name = host.getBytes(StandardCharsets.US_ASCII);
            bytes.write(NAME);
            bytes.write(name.length);
            bytes.writeBytes(name);
        } else {
            bytes.write(service instanceof Inet4Address ? IPV4 : IPV6);
            bytes.writeBytes(service.getAddress());
        }
        bytes.write(port >> Byte.SIZE);
        bytes.write(port);
        return new Tunnel(false, bytes.toByteArray());
    }

    /** {@return the first request} */
    public byte[] begin() {
        return http ? request : NO_AUTHENTICATION;
    }

    /** {@return true if the tunnel is there: what follows is for and from the target} */
    public boolean done() {
        return done;
    }

    /**
     * Takes a byte of what the proxy says.
     *
     * @param next the byte
     * @throws TunnelRefusedException if there will be no tunnel
     */
    public byte[] read(byte next) throws TunnelRefusedException {
        heard.write(next);
        return http ? head() : reply();
    }

    private byte[] head() throws TunnelRefusedException {
        byte[] bytes = heard.toByteArray();
        int start = bytes.length - HEAD_END.length;
        if (start < 0 || !ends(bytes, start)) {
            if (bytes.length > MOST_HEAD) {
                throw new TunnelRefusedException("no end of a header");
            }
            return NOTHING;
        }
        Matcher status = STATUS.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        if (!status.matches()) {
            throw new TunnelRefusedException("no answer of HTTP/1.1");
        }
        if (status.group(1).charAt(0) != '2') {
            throw new TunnelRefusedException("no tunnel", Integer.parseInt(status.group(1)));
        }
        done = true;
        return NOTHING;
    }

    private static boolean ends(byte[] bytes, int start) {
        for (int i = 0; i < HEAD_END.length; i++) {
            if (bytes[start + i] != HEAD_END[i]) {
                return false;
            }
        }
        return true;
    }

    private byte[] reply() throws TunnelRefusedException {
        byte[] bytes = heard.toByteArray();
        if (bytes[0] != 5) {
            throw new TunnelRefusedException("no answer of SOCKS 5");
        }
        if (bytes.length < 2) {
            return NOTHING;
        }
        if (bytes[1] != 0) {
            throw new TunnelRefusedException(greeted ? "socks " + bytes[1] : "socks wants a password");
        }
        if (!greeted) {
            greeted = true;
            heard.reset();
            return request;
        }
        done = bytes.length > REPLY_HEAD && bytes.length == replyLength(bytes);
        return NOTHING;
    }

    /** With its address, which is of no use, and the port. */
    private static int replyLength(byte[] bytes) {
        int address =
                switch (bytes[REPLY_HEAD - 1]) {
                    case IPV4 -> 4;
                    case NAME -> 1 + (bytes[REPLY_HEAD] & 0xFF);
                    default -> 16;
                };
        return REPLY_HEAD + address + 2;
    }
}
