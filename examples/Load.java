///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVA 17+
//DEPS io.phaseload:phaseload-core:0.1.0-SNAPSHOT

import io.phaseload.ThreadsLoadClient;
import io.phaseload.plan.Plan;
import io.phaseload.result.Result;
import java.net.URI;

/** Loads a URL with up to ten users: jbang Load.java https://shop.example/ */
public class Load {

    public static void main(String[] args) {
        Plan plan = Plan.builder(URI.create(args[0])).threads(10).iterations(100).build();
        Result result = ThreadsLoadClient.of(plan).run();
        System.out.printf(
                "%d requests, %.2f %% failed, p99 %s, measurement %s%n",
                result.totals().requests(),
                result.totals().failedPercent(),
                result.totals().response().p99(),
                result.verdict().status());
    }
}
