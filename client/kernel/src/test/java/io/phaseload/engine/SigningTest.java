package io.phaseload.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Script;
import io.phaseload.plan.Header;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.RequestSigner;
import io.phaseload.plan.Scenario;
import io.phaseload.run.RunListener;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs whose requests are signed. */
@Tag("contract")
@Timeout(60)
class SigningTest {

    private static final int SENT = 2 * 20 * 2;

    @Test
    void aSignatureIsReused() throws Exception {
        assertThat(signaturesOf(new CountingSigner(Duration.ofHours(1)))).hasSize(2);
    }

    @Test
    void aSignatureIsRenewedWhenItExpires() throws Exception {
        // A user that comes while another one signs takes the one before: how often, the machine's
        // load decides. One that is never renewed serves for all: there would be 2.
        assertThat(signaturesOf(new CountingSigner(Duration.ofNanos(1)))).hasSizeBetween(3, SENT + 2);
    }

    @Test
    void aFailingSignerEndsTheRunWithConsistentCounts() throws Exception {
        CountingSigner signer = new CountingSigner(Duration.ofNanos(1));
        signer.last = 10;
        try (MisbehavingServer server = behaving()) {
            Measurement measured = TestEngine.of(plan(server).signedBy(signer), RunListener.NONE)
                    .run();

            assertThat(measured.fault().orElseThrow()).hasMessage("no more signatures");
            // The other user may go on with the last signature until it hears of it.
            assertThat(server.requests()).isNotEmpty().hasSizeLessThan(SENT);
        }
    }

    private static Set<String> signaturesOf(CountingSigner signer) throws Exception {
        try (MisbehavingServer server = behaving()) {
            TestEngine.of(plan(server).signedBy(signer), RunListener.NONE).run();

            List<String> lines = server.requests().stream()
                    .flatMap(String::lines)
                    .filter(line -> line.startsWith("Authorization: "))
                    .toList();
            assertThat(lines).hasSize(SENT);
            return lines.stream().collect(Collectors.toSet());
        }
    }

    private static MisbehavingServer behaving() throws Exception {
        return MisbehavingServer.start(Script.BEHAVE, Script.BEHAVE);
    }

    private static Plan plan(MisbehavingServer server) {
        return Plan.builder(server.uri())
                .scenario(Scenario.getThenPost())
                .threads(2)
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(20)))
                .build();
    }

    private static final class CountingSigner implements RequestSigner {

        private final Duration renewal;
        private final AtomicInteger signed = new AtomicInteger();
        private int last = Integer.MAX_VALUE;

        CountingSigner(Duration renewal) {
            this.renewal = renewal;
        }

        @Override
        public Duration renewal() {
            return renewal;
        }

        @Override
        public List<Header> sign(Unsigned request) {
            int number = signed.incrementAndGet();
            if (number > last) {
                throw new IllegalStateException("no more signatures");
            }
            return List.of(new Header("Authorization", "signature " + number));
        }
    }
}
