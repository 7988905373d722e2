package io.phaseload.httpclient;

import io.phaseload.http.Deadlines;
import io.phaseload.http.UserSender;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.response.KeptBody;
import io.phaseload.http.response.Received;
import io.phaseload.measure.SendResult;
import io.phaseload.timing.InstanceState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;

/** Sends one user's requests with HttpClient. Owned by one thread at a time. */
final class HttpSender implements UserSender {

    private final CloseableHttpClient client;
    private final Requests requests;
    private final ExchangeMeter meter;
    private final Deadlines deadlines;
    private final Runnable end;
    private final Supplier<HttpClientContext> contexts;
    private final byte[] buffer = new byte[8 << 10];

    HttpSender(
            CloseableHttpClient client,
            Requests requests,
            Supplier<HttpClientContext> contexts,
            ExchangeMeter meter,
            Deadlines deadlines,
            Runnable end) {
        this.client = client;
        this.requests = requests;
        this.contexts = contexts;
        this.meter = meter;
        this.deadlines = deadlines;
        this.end = end;
        deadlines.add(meter.deadline());
    }

    @Override
    public SendResult exchange(PreparedRequest request) {
        HttpUriRequestBase sent = requests.of(request);
        HttpClientContext context = contexts.get();
        meter.begin(sent);
        try (ClassicHttpResponse response = client.executeOpen(requests.host(), sent, context)) {
            Received received = received(response, request);
            long end = System.nanoTime();
            return meter.whole(
                    end,
                    request.judge(received, end - meter.sentNanos()),
                    response.getCode(),
                    instance(response.getFirstHeader(InstanceState.HEADER)));
        } catch (MeteredRuntime.NoTurnException e) {
            return meter.sent() ? meter.failed(e) : SendResult.NOT_SENT;
        } catch (IOException | RuntimeException e) {
            return meter.failed(e);
        }
    }

    /** Reads a response to its end, and keeps the parts that {@link PreparedRequest#judge} needs. */
    private Received received(ClassicHttpResponse response, PreparedRequest request) throws IOException {
        boolean kept = request.bodyKept();
        int most = kept ? KeptBody.CHECKED_BYTES : KeptBody.isQuoted(response.getCode()) ? KeptBody.QUOTED_BYTES : 0;
        ByteArrayOutputStream body = most == 0 ? null : new ByteArrayOutputStream();
        HttpEntity entity = response.getEntity();
        long bytes = 0;
        if (entity != null) {
            try (InputStream in = entity.getContent()) {
                int count = in.read(buffer);
                while (count >= 0) {
                    bytes += count;
                    if (body != null) {
                        body.write(buffer, 0, Math.min(count, most - body.size()));
                    }
                    count = in.read(buffer);
                }
            }
            meter.bodyRead(bytes);
        }
        return new ReadResponse(
                response.getCode(),
                head(response, request),
                body,
                bytes,
                retryAfter(response.getFirstHeader(HttpHeaders.RETRY_AFTER)));
    }

    /** A response that was read to its end. */
    private record ReadResponse(int status, byte[] head, ByteArrayOutputStream body, long bodyBytes, long retryAfter)
            implements Received {}

    /** The lines of its header, as {@link PreparedRequest#judge} wants them. */
    private static byte[] head(ClassicHttpResponse response, PreparedRequest request) {
        StringBuilder lines = new StringBuilder();
        if (request.headKept()) {
            for (Header header : response.getHeaders()) {
                lines.append(header.getName())
                        .append(':')
                        .append(header.getValue())
                        .append('\n');
            }
        }
        return lines.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static InstanceState instance(Header header) {
        return header == null ? null : InstanceState.parse(header.getValue());
    }

    /** As the engines read it: in seconds; negative without any, and for a date. */
    private static long retryAfter(Header header) {
        return header != null && header.getValue().matches("\\d{1,18}") ? Long.parseLong(header.getValue()) : -1;
    }

    @Override
    public void close() {
        deadlines.remove(meter.deadline());
        end.run();
    }
}
