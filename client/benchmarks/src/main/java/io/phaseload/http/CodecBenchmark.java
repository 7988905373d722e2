package io.phaseload.http;

import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.apache.hc.core5.http.impl.io.SessionOutputBufferImpl;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Encoding a request, writing one that is encoded, and reading a response's head, as threads do.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodecBenchmark {

    private static final int BUFFER = 8 << 10;
    private static final byte[] HEAD =
            ("HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Fri, 20 Nov 2026 12:00:00 GMT\r\n"
                            + "Content-Type: text/plain\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);

    private final Target target = Target.of(URI.create("http://127.0.0.1:8080/"));
    private final Operation post = Operation.post("/", Body.ofText("x".repeat(1_024)));
    private final PreparedRequest prepared = new PreparedRequest(target, post);
    private final SessionOutputBufferImpl output = new SessionOutputBufferImpl(BUFFER);
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream(BUFFER);
    private final ResponseHeadParser heads = new ResponseHeadParser();
    private final SessionInputBufferImpl input = new SessionInputBufferImpl(BUFFER);
    private final InputStream received = new ByteArrayInputStream(HEAD);

    /** Once a run, or once a signature. */
    @Benchmark
    public PreparedRequest encode() {
        return new PreparedRequest(target, post);
    }

    @Benchmark
    public int write() throws IOException {
        sent.reset();
        output.write(prepared.wire(), sent);
        output.flush(sent);
        return sent.size();
    }

    @Benchmark
    public ClassicHttpResponse readHead() throws IOException, HttpException {
        received.reset();
        heads.begin();
        return heads.parse(input, received);
    }
}
