package io.phaseload.events;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
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

/** Reading a whole response that came in one piece, as event loops do. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ResponseParserBenchmark {

    private final ResponseParser parser = new ResponseParser(ResponseParser.newChunk());
    private final ByteBuf small = response(5);
    private final ByteBuf large = response(64 << 10);

    private static ByteBuf response(int bodyBytes) {
        String head =
                "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Fri, 20 Nov 2026 12:00:00 GMT\r\n"
                        + "Content-Type: text/plain\r\nContent-Length: %d\r\nConnection: keep-alive\r\n\r\n";
        byte[] bytes =
                (head.formatted(bodyBytes) + "x".repeat(bodyBytes))
                        .getBytes(StandardCharsets.US_ASCII);
        return Unpooled.directBuffer(bytes.length).writeBytes(bytes);
    }

    @Benchmark
    public int small() throws MalformedException {
        return parse(small);
    }

    @Benchmark
    public int large() throws MalformedException {
        return parse(large);
    }

    private int parse(ByteBuf bytes) throws MalformedException {
        bytes.readerIndex(0);
        parser.begin(false, false);
        parser.parse(bytes);
        return parser.status();
    }
}
