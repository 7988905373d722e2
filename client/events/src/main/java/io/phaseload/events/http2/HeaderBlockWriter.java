package io.phaseload.events.http2;

import io.phaseload.http.request.PreparedRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Encodes a request's header for HTTP/2, once for all connections: without the dynamic table, a block means the same on
 * each.
 */
public final class HeaderBlockWriter {

    /** RFC 9113 §8.2.2, and the host, which has its own field. */
    private static final Set<String> DROPPED =
            Set.of("host", "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade");

    /** Proxies must not index them, either (RFC 7541 §7.1.3). */
    private static final Set<String> SECRET = Set.of("authorization", "proxy-authorization", "cookie");

    private static final int INDEXED = 0x80;
    private static final int NEVER_INDEXED = 0x10;
    private static final int METHOD = 2;
    private static final int PATH = 4;
    private static final int SCHEME = 6;

    private final ByteArrayOutputStream block = new ByteArrayOutputStream(256);

    private HeaderBlockWriter() {}

    /**
     * Encodes a request's header.
     *
     * @param request the request with its method, scheme, path and header
     * @return the block, of any length
     */
    public static byte[] write(PreparedRequest request) {
        HeaderBlockWriter writer = new HeaderBlockWriter();
        writer.pseudo(METHOD, request.method(), List.of("GET", "POST"));
        writer.pseudo(SCHEME, request.scheme(), List.of("http", "https"));
        writer.field(":authority", value(request, "Host"));
        writer.pseudo(PATH, request.path(), List.of("/"));
        Set<String> dropped = new HashSet<>(DROPPED);
        Arrays.stream(value(request, "Connection").split(","))
                .forEach(name -> dropped.add(name.strip().toLowerCase(Locale.ROOT)));
        request.headers().forEach((given, value) -> {
            String name = given.toLowerCase(Locale.ROOT);
            boolean te = name.equals("te") && !value.equalsIgnoreCase("trailers");
            if (!dropped.contains(name) && !te) {
                writer.field(name, value);
            }
        });
        return writer.block.toByteArray();
    }

    private static String value(PreparedRequest request, String name) {
        return request.headers().entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** A field whose first values have their own numbers. */
    private void pseudo(int number, String value, List<String> numbered) {
        int index = numbered.indexOf(value);
        if (index >= 0) {
            integer(INDEXED, 7, number + index);
        } else {
            field(FieldTable.NAMES.get(number - 1), value);
        }
    }

    private void field(String name, String value) {
        int number = FieldTable.NAMES.indexOf(name) + 1;
        integer(SECRET.contains(name) ? NEVER_INDEXED : 0, 4, number);
        if (number == 0) {
            text(name);
        }
        text(value);
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        integer(0, 7, bytes.length);
        block.writeBytes(bytes);
    }

    /** RFC 7541 §5.1. */
    private void integer(int flags, int prefix, int value) {
        int most = (1 << prefix) - 1;
        if (value < most) {
            block.write(flags | value);
            return;
        }
        block.write(flags | most);
        int left = value - most;
        while (left >= 0x80) {
            block.write(left & 0x7f | 0x80);
            left >>>= 7;
        }
        block.write(left);
    }
}
