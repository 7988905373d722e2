package io.phaseload.cli.doctor.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.doctor.checks.CheckOutcome.Fail;
import io.phaseload.cli.doctor.checks.CheckOutcome.Ok;
import io.phaseload.cli.doctor.checks.CheckOutcome.Skip;
import io.phaseload.cli.doctor.checks.CheckOutcome.Warn;
import io.phaseload.cli.doctor.facts.Ceiling;
import io.phaseload.cli.doctor.facts.TargetReachability;
import io.phaseload.plan.Load;
import io.phaseload.plan.Phase;
import io.phaseload.plan.PhaseLength;
import io.phaseload.plan.Plan;
import io.phaseload.plan.PlanBuilder;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.engine.Access;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.schedule.RampArrivals;
import io.phaseload.schedule.Rate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What facts of the way to the target, and of this client's limit, mean for a plan. */
class TargetChecksTest {

    private static final Planned SHOP = new Planned(plan().build(), false);

    private static PlanBuilder plan() {
        return Plan.builder(URI.create("http://shop.example/")).threads(20);
    }

    private static TargetReachability.Attempt attempt(String address, String failure) {
        try {
            return new TargetReachability.Attempt(
                    new InetSocketAddress(InetAddress.getByName(address), 80),
                    Duration.ofMillis(2),
                    Optional.ofNullable(failure));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static TargetReachability way(TargetReachability.Attempt... attempts) {
        return new TargetReachability(Duration.ofMillis(3), Optional.empty(), List.of(attempts));
    }

    @Test
    void aTargetHereSharesTheCpus() {
        assertThat(CpuChecks.sameHost(SHOP, false)).isInstanceOf(Ok.class);
        assertThat(CpuChecks.sameHost(SHOP, true)).isInstanceOf(Warn.class);
        assertThat(way(attempt("127.0.0.1", null)).isHere()).isTrue();
        assertThat(way(attempt("192.0.2.1", null)).isHere()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http_proxy", "HTTP_PROXY", "all_proxy"})
    void aProxyVariableIsTold(String name) {
        Map<String, String> environment = Map.of(name, "http://me:secret@proxy.example:3128");
        assertThat(AddressChecks.proxyVariables(SHOP, environment, false))
                .isInstanceOfSatisfying(
                        Warn.class, warn -> assertThat(warn.found()).isEqualTo(name + "=http://proxy.example:3128"));
        assertThat(AddressChecks.proxyVariables(SHOP, environment, true)).isInstanceOf(Ok.class);
    }

    @Test
    void aProxyVariableMayNotApply() {
        Map<String, String> others = Map.of("https_proxy", "http://p:1", "http_proxy", " ");
        assertThat(AddressChecks.proxyVariables(SHOP, others, false)).isInstanceOf(Ok.class);
        for (String excluded : List.of("a, shop.example", ".example", "*.example", "*")) {
            Map<String, String> environment = Map.of("http_proxy", "http://p:1", "no_proxy", excluded);
            assertThat(AddressChecks.proxyVariables(SHOP, environment, false))
                    .as(excluded)
                    .isInstanceOf(Ok.class);
        }
        Map<String, String> other = Map.of("http_proxy", "http://p:1", "no_proxy", "op.example");
        assertThat(AddressChecks.proxyVariables(SHOP, other, false)).isInstanceOf(Warn.class);
        EngineSettings proxied = EngineSettings.builder("threads")
                .client(HttpClientSettings.DEFAULT.with(
                        new Access(Optional.empty(), Optional.empty(), Optional.of(Proxy.parse("http://p:1")))))
                .build();
        Planned asked = new Planned(plan().engine(proxied).build(), false);
        assertThat(AddressChecks.proxyVariables(asked, Map.of("http_proxy", "http://p:1"), false))
                .isInstanceOf(Ok.class);
    }

    @Test
    void aNameNeedsAnAddress() {
        TargetReachability slow =
                new TargetReachability(Duration.ofSeconds(5), Optional.empty(), List.of(attempt("192.0.2.1", null)));
        TargetReachability unknown = new TargetReachability(Duration.ZERO, Optional.of("unknown host"), List.of());
        assertThat(AddressChecks.hostName(SHOP, way(attempt("192.0.2.1", null))))
                .isInstanceOf(Ok.class);
        assertThat(AddressChecks.hostName(SHOP, slow)).isInstanceOf(Warn.class);
        assertThat(AddressChecks.hostName(SHOP, unknown)).isInstanceOf(Fail.class);
        assertThat(AddressChecks.addresses(SHOP, unknown)).isInstanceOf(Skip.class);
        Planned literal =
                new Planned(Plan.builder(URI.create("http://192.0.2.1/")).build(), false);
        assertThat(AddressChecks.hostName(literal, slow)).isInstanceOf(Skip.class);
    }

    @Test
    void eachAddressIsTold() {
        TargetReachability.Attempt good = attempt("192.0.2.1", null);
        TargetReachability.Attempt bad = attempt("2001:db8::1", "Network is unreachable");
        assertThat(AddressChecks.addresses(SHOP, way(good)))
                .isEqualTo(new Ok("port 80 took a connection at 192.0.2.1 (2.0 ms)", "the target has no IPv6 address"));
        assertThat(AddressChecks.addresses(SHOP, way(good, attempt("2001:db8::1", null))))
                .isInstanceOfSatisfying(Ok.class, ok -> assertThat(ok.meaning()).isEqualTo("IPv6 included"));
        assertThat(AddressChecks.addresses(SHOP, way(bad, good)))
                .isInstanceOfSatisfying(
                        Warn.class, warn -> assertThat(warn.fix()).contains("-Djava.net.preferIPv4Stack=true"));
        assertThat(AddressChecks.addresses(SHOP, way(bad))).isInstanceOf(Fail.class);
    }

    private static Planned asking(long perSecond) {
        Rate rate = Rate.perSecond(perSecond);
        Load open =
                new Load.Open(new RampArrivals(Rate.perSecond(1), rate, Duration.ofMinutes(1)), Load.Overload.QUEUE);
        PhaseLength minute = new PhaseLength.Lasting(Duration.ofMinutes(1));
        return new Planned(plan().phases(new Phase("peak", 1, minute, open)).build(), false);
    }

    @Test
    void theCeilingIsComparedWithTheRate() {
        Ceiling ceiling = new Ceiling(20, 40_000, 0.5, Map.of());
        assertThat(LimitChecks.clientCeiling(SHOP, ceiling)).isInstanceOf(Ok.class);
        assertThat(LimitChecks.clientCeiling(asking(14_800), ceiling))
                .isInstanceOfSatisfying(Ok.class, ok -> assertThat(ok.meaning())
                        .isEqualTo("the plan asks for 14,800/s, 37 % of what this machine" + " can send"));
        assertThat(LimitChecks.clientCeiling(asking(28_000), ceiling)).isInstanceOf(Warn.class);
        assertThat(LimitChecks.clientCeiling(asking(79_000), ceiling)).isInstanceOf(Warn.class);
        assertThat(LimitChecks.clientCeiling(asking(80_000), ceiling)).isInstanceOf(Fail.class);
        assertThat(LimitChecks.clientCeiling(SHOP, new Ceiling(20, 0, 0, Map.of("why", 1L))))
                .isInstanceOf(Skip.class);
    }
}
