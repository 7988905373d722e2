package io.phaseload.result.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.plan.Operation;
import io.phaseload.plan.Plan;
import java.net.URI;
import org.junit.jupiter.api.Test;

class TargetCommandsTest {

    private static final Plan PLAN = Plan.builder(URI.create("https://shop.example:8443/app"))
            .operations(
                    Operation.get("/"),
                    Operation.of("DELETE", "/items?id=7&token=abc").named("remove"))
            .build();

    @Test
    void curlHasTheAddressOfTheOperationThatIsMeant() {
        assertThat(of("none of the 4 requests of 'remove' succeeded", "send one: curl -v URL."))
                .isEqualTo("send one: curl -v -X DELETE"
                        + " 'https://shop.example:8443/app/items?id=7&token=[redacted]'.");
        assertThat(of("some failed", "curl -i URL, or --trace"))
                .isEqualTo("curl -i https://shop.example:8443/app, or --trace");
    }

    @Test
    void hostAndPortAreThoseOfTheTarget() {
        assertThat(of("", "nc -vz HOST PORT. getent ahosts HOST."))
                .isEqualTo("nc -vz shop.example 8443. getent ahosts shop.example.");
    }

    private static String of(String text, String advice) {
        return TargetCommands.of(PLAN, text).in(advice);
    }
}
