package io.phaseload.http;

import io.phaseload.http.request.PreparedRequest;
import io.phaseload.http.response.MalformedException;
import io.phaseload.http.response.ResponseParser;
import io.phaseload.plan.Body;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Target;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Encoding a request, and reading a complete response that came in one piece. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodecBenchmark {

    private final Target target = Target.of(URI.create("http://127.0.0.1:8080/"));
    private final Operation post = Operation.post("/", Body.ofText("x".repeat(1_024)));
    private final ResponseParser parser = new ResponseParser();
    private final byte[] small = response(5);
    private final byte[] large = response(64 << 10);

    private static byte[] response(int bodyBytes) {
        String head = "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Fri, 20 Nov 2026 12:00:00 GMT\r\n"
                + "Content-Type: text/plain\r\nContent-Length: %d\r\nConnection: keep-alive\r\n\r\n";
        return (head.formatted(bodyBytes) + "x".repeat(bodyBytes)).getBytes(StandardCharsets.US_ASCII);
    }

    /** Once a run, or once a signature. */
    @Benchmark
    public PreparedRequest encode() {
        return new PreparedRequest(target, post);
    }

    @Benchmark
    public int readSmall() throws MalformedException {
        return read(small);
    }

    @Benchmark
    public int readLarge() throws MalformedException {
        return read(large);
    }

    private int read(byte[] bytes) throws MalformedException {
        parser.begin(false, false);
        parser.parse(bytes, 0, bytes.length);
        return parser.status();
    }
}
