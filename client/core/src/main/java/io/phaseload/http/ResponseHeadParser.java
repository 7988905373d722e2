package io.phaseload.http;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.http.message.BasicLineParser;
import org.apache.hc.core5.http.message.BufferedHeader;
import org.apache.hc.core5.http.message.StatusLine;
import org.apache.hc.core5.util.CharArrayBuffer;

/**
 * Reads the head of a response, in the place of HttpCore's own parser.
 *
 * <p>It is leaner: of the headers, each checked, only those become objects that say where the body
 * ends and whether the connection stays. And it is stricter, where a broken response would
 * otherwise count as a success: the end of the stream isn't the end of a head, and bytes that came
 * before the request was sent aren't its response.
 *
 * <p>Owned by one connection.
 */
final class ResponseHeadParser implements HttpMessageParser<ClassicHttpResponse> {

    static final int MAX_HEADERS = 1_000;

    private static final int MAX_EMPTY_LINES = 10;
    private static final String HTTP_1 = "HTTP/1.";

    private static final String[] FRAMING = {
        HttpHeaders.CONTENT_LENGTH,
        HttpHeaders.TRANSFER_ENCODING,
        HttpHeaders.CONNECTION,
        "Proxy-Connection",
    };

    private final CharArrayBuffer line = new CharArrayBuffer(128);
    private InputStream socketStream;
    private InputStream headStream;
    private boolean afterInterim;
    private long firstByteNanos;
    private InstanceState instance;

    /** To be called before each request. */
    void begin() {
        firstByteNanos = 0;
        instance = null;
    }

    /** When the first byte of the response came, or 0 if none has. */
    long firstByteNanos() {
        return firstByteNanos;
    }

    /** What the response said of the instance that answered, or {@code null}. */
    InstanceState instance() {
        return instance;
    }

    @Override
    public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream stream)
            throws IOException, HttpException {
        if (buffer.length() > 0 && !afterInterim) {
            throw new ProtocolException("bytes before the request was sent");
        }
        if (stream != socketStream) {
            socketStream = stream;
            headStream = new HeadStream(stream);
        }
        ClassicHttpResponse response = readStatusLine(buffer);
        readHeaders(buffer, response);
        afterInterim = response.getCode() < 200;
        return response;
    }

    private ClassicHttpResponse readStatusLine(SessionInputBuffer buffer)
            throws IOException, HttpException {
        for (int i = 0; i < MAX_EMPTY_LINES; i++) {
            readLine(buffer);
            if (!line.isEmpty()) {
                return parseStatusLine();
            }
        }
        throw new MessageConstraintException("Maximum empty line limit exceeded");
    }

    private ClassicHttpResponse parseStatusLine() throws ParseException {
        int code = usualCode();
        if (code >= 0) {
            ClassicHttpResponse response = new BasicClassicHttpResponse(code, "");
            response.setVersion(
                    line.charAt(HTTP_1.length()) == '1'
                            ? HttpVersion.HTTP_1_1
                            : HttpVersion.HTTP_1_0);
            return response;
        }
        StatusLine parsed = BasicLineParser.INSTANCE.parseStatusLine(line);
        ClassicHttpResponse response =
                new BasicClassicHttpResponse(parsed.getStatusCode(), parsed.getReasonPhrase());
        response.setVersion(parsed.getProtocolVersion());
        return response;
    }

    /** The status of {@code HTTP/1.1 200 …}, or −1 for a line that isn't of this plain form. */
    private int usualCode() {
        boolean plain =
                line.length() > 12
                        && startsWith(HTTP_1)
                        && (line.charAt(7) == '1' || line.charAt(7) == '0')
                        && line.charAt(8) == ' '
                        && line.charAt(12) == ' ';
        if (!plain) {
            return -1;
        }
        int code = 0;
        for (int i = 9; i < 12; i++) {
            int digit = line.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            code = code * 10 + digit;
        }
        return code;
    }

    private void readHeaders(SessionInputBuffer buffer, ClassicHttpResponse response)
            throws IOException, HttpException {
        CharArrayBuffer kept = null;
        for (int count = 0; ; count++) {
            readLine(buffer);
            if (line.isEmpty()) {
                return;
            }
            if (count == MAX_HEADERS) {
                throw new MessageConstraintException("Maximum header count exceeded");
            }
            if (count > 0 && isBlank(line.charAt(0))) {
                // A folded value (RFC 9112 §5.2).
                if (kept != null) {
                    kept.append(line, 0, line.length());
                }
                continue;
            }
            int colon = line.indexOf(':');
            kept = null;
            if (is(InstanceState.HEADER, colon)) {
                instance = InstanceState.parse(line.substring(colon + 1, line.length()));
            }
            if (colon <= 0 || isBlank(line.charAt(colon - 1)) || isFraming(colon)) {
                kept = new CharArrayBuffer(line.length());
                kept.append(line, 0, line.length());
                // Throws if it is no header at all.
                response.addHeader(new BufferedHeader(kept));
            }
        }
    }

    private void readLine(SessionInputBuffer buffer) throws IOException {
        line.clear();
        buffer.readLine(line, headStream);
    }

    private boolean isFraming(int colon) {
        for (String name : FRAMING) {
            if (is(name, colon)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the line's header, up to its colon, has a name. */
    private boolean is(String name, int colon) {
        return name.length() == colon && startsWith(name);
    }

    /** Whether the line begins with a text, in any case. */
    private boolean startsWith(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = line.charAt(i);
            char wanted = text.charAt(i);
            if (c != wanted && Character.toLowerCase(c) != Character.toLowerCase(wanted)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /** What a head is read from: its end is an error, and its first byte has a time. */
    private final class HeadStream extends EndIsAnError {

        HeadStream(InputStream stream) {
            super(stream);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            if (firstByteNanos == 0) {
                firstByteNanos = System.nanoTime();
            }
            return read;
        }
    }
}
