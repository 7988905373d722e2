package io.phaseload.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.phaseload.plan.Body;
import io.phaseload.plan.Header;
import io.phaseload.plan.Operation;
import io.phaseload.plan.RequestSigner;
import io.phaseload.plan.Target;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SignedRequestsTest {

    private static final Target TARGET = new Target(
            URI.create("http://target.example:81/base"),
            List.of(Header.parse("Authorization: stale")),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            false);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final CountingSigner signer = new CountingSigner();

    @Test
    void theSignerSeesTheRequestThatIsSent() {
        requests(Operation.post("//a%20b?c=d", Body.ofText("ä")));

        RequestSigner.Unsigned seen = signer.seen.get(0);
        assertThat(seen.method()).isEqualTo("POST");
        assertThat(seen.uri()).hasToString("http://target.example:81/base//a%20b?c=d");
        assertThat(seen.body()).isEqualTo("ä".getBytes(StandardCharsets.UTF_8));
        assertThat(seen.headers())
                .contains(
                        Header.parse("Host: target.example:81"),
                        Header.parse("Content-Type: text/plain; charset=utf-8"));
    }

    @Test
    void itsHeadersReplaceThoseOfTheSameName() {
        assertThat(wire(requests(Operation.get("/")), 0))
                .containsOnlyOnce("authorization: signature 1\r\n")
                .doesNotContain("stale");
    }

    @Test
    void aRequestIsSignedAgainWhenDueAndNotBefore() {
        SignedRequests requests = requests(Operation.get("/"), Operation.get("/other"));

        now.addAndGet(Duration.ofSeconds(60).toNanos() - 1);
        assertThat(requests.get(0, null)).isSameAs(requests.get(0, null));
        assertThat(wire(requests, 0)).contains("signature 1");

        now.addAndGet(1);
        assertThat(wire(requests, 0)).contains("signature 3");
        assertThat(wire(requests, 0)).contains("signature 3");
        assertThat(wire(requests, 1)).contains("signature 4");
    }

    @Test
    @Timeout(20)
    void signingBlocksNobodyElse() throws InterruptedException {
        SignedRequests requests = requests(Operation.get("/"));
        now.addAndGet(Duration.ofSeconds(60).toNanos());
        signer.held = new CountDownLatch(1);
        Thread first = new Thread(() -> requests.get(0, null), "signs");
        first.start();
        assertThat(signer.entered.await(10, TimeUnit.SECONDS)).isTrue();

        assertThat(wire(requests, 0)).contains("signature 1");

        signer.held.countDown();
        first.join();
        assertThat(wire(requests, 0)).contains("signature 2");
    }

    @Test
    void aFailingSignerIsReported() {
        SignedRequests requests = requests(Operation.get("/"));
        now.addAndGet(Duration.ofSeconds(60).toNanos());
        signer.failure = new IllegalStateException("no credentials any more");

        assertThatIllegalStateException()
                .isThrownBy(() -> requests.get(0, null))
                .withMessage("no credentials any more");
    }

    private SignedRequests requests(Operation... operations) {
        return new SignedRequests(TARGET, List.of(operations), signer, now::get);
    }

    private static String wire(SignedRequests requests, int index) {
        return new String(requests.get(index, null).wire(), StandardCharsets.UTF_8);
    }

    private static final class CountingSigner implements RequestSigner {

        private final List<Unsigned> seen = new ArrayList<>();
        private final CountDownLatch entered = new CountDownLatch(1);
        private CountDownLatch held;
        private RuntimeException failure;

        @Override
        public Duration renewal() {
            return Duration.ofSeconds(60);
        }

        @Override
        public List<Header> sign(Unsigned request) {
            if (failure != null) {
                throw failure;
            }
            if (held != null) {
                entered.countDown();
                awaitRelease();
            }
            seen.add(request);
            return List.of(new Header("authorization", "signature " + seen.size()));
        }

        private void awaitRelease() {
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
