package io.phaseload.httpclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.phaseload.ThreadsLoadClient;
import io.phaseload.host.PoolUse;
import io.phaseload.http.Deadlines;
import io.phaseload.http.MisbehavingServer;
import io.phaseload.http.Script;
import io.phaseload.http.UserSender;
import io.phaseload.http.client.Client;
import io.phaseload.http.request.PreparedRequest;
import io.phaseload.plan.Operation;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.Target;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.result.Figures;
import io.phaseload.result.Result;
import io.phaseload.timing.Timing;
import java.net.URI;
import java.util.Map;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users send with a client that somebody else has configured. */
@Timeout(60)
class BuilderTest {

    private static HttpClientBuilder marking() {
        return HttpClients.custom()
                .addRequestInterceptorFirst((request, entity, context) -> request.addHeader("Mine", "yes"));
    }

    private static Plan plan(URI uri) {
        return Plan.builder(uri)
                .threads(10)
                .operations(Operation.get("/"))
                .phases(new Phase("peak", 1, new PhaseLength.Iterations(20)))
                .build();
    }

    private static Figures totals(MisbehavingServer server, HttpClientBuilder builder) {
        Result result = ThreadsLoadClient.of(plan(server.uri()), HttpClientProvider.of(builder))
                .run();

        assertThat(result.totals().succeeded()).isEqualTo(200);
        assertThat(server.requests()).hasSize(200).allMatch(request -> request.contains("\r\nMine: yes\r\n"));
        assertThat(result.plan().labels()).isEqualTo(Map.of(Plan.CLIENT, "httpclient with a builder of its own"));
        assertThat(result.totals().time(Timing.LEASE).samples()).isEqualTo(200);
        assertThat(result.totals().connectionSetUp().samples()).isEqualTo(server.connections());
        return result.totals();
    }

    @Test
    void withoutAPoolItGetsOneThatTellsAll() throws Exception {
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE)) {
            Figures totals = totals(server, marking());

            assertThat(server.connections()).isBetween(1, 5);
            assertThat(totals.time(Timing.DNS).samples()).isEqualTo(server.connections());
            assertThat(totals.bytesReceived()).isEqualTo(200 * 40);
        }
    }

    @Test
    void aPoolOfItsOwnIsUsed() throws Exception {
        HttpClientBuilder builder = marking()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnTotal(3)
                        .setMaxConnPerRoute(3)
                        .build());
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE)) {
            Figures totals = totals(server, builder);

            assertThat(server.connections()).isBetween(1, 3);
            assertThat(totals.time(Timing.DNS).samples()).isZero();
            assertThat(totals.time(Timing.TCP).samples()).isEqualTo(server.connections());
            assertThat(totals.time(Timing.FIRST_BYTE).samples()).isEqualTo(200);
            assertThat(totals.bytesReceived()).isEqualTo(200 * 2);
        }
    }

    /** An application's users are those of one client. */
    @Test
    void whatUsersRememberIsTheBuilders() throws Exception {
        Script setsACookie = peer -> {
            while (true) {
                peer.readRequest();
                peer.write("HTTP/1.1 204 No Content\r\nSet-Cookie: id=7; Path=/\r\n\r\n");
            }
        };
        try (MisbehavingServer server = MisbehavingServer.start(setsACookie);
                Client client = HttpClientProvider.of(marking()).create(plan(server.uri()));
                Deadlines deadlines = new Deadlines(1_000_000_000);
                UserSender one = client.newSender(deadlines, UserSender.Turn.AT_ONCE);
                UserSender other = client.newSender(deadlines, UserSender.Turn.AT_ONCE)) {
            PreparedRequest get = new PreparedRequest(Target.of(server.uri()), Operation.get("/"));
            one.exchange(get);
            other.exchange(get);

            assertThat(server.requests())
                    .extracting(request -> request.contains("\r\nCookie: id=7\r\n"))
                    .containsExactly(false, true);
            assertThat(client.pool()).contains(new PoolUse(0, 1, 0));
        }
    }

    @Test
    void aBuilderIsForOneRun() throws Exception {
        HttpClientProvider provider = HttpClientProvider.of(marking());
        try (MisbehavingServer server = MisbehavingServer.start(Script.BEHAVE)) {
            ThreadsLoadClient.of(plan(server.uri()), provider).run();
            ThreadsLoadClient again = ThreadsLoadClient.of(plan(server.uri()), provider);

            assertThatIllegalStateException()
                    .isThrownBy(again::run)
                    .withMessage("a builder makes the client of one run");
        }
    }

    @Test
    void onlyThreadsRunIt() {
        Plan plan = Plan.builder(URI.create("http://localhost/"))
                .engine(EngineSettings.of("events"))
                .build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ThreadsLoadClient.of(plan, HttpClientProvider.of(marking())))
                .withMessage("engine events: expected threads, which alone run a client of one's own");
    }
}
