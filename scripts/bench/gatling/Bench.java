import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.Simulation;

/** One request over and over, by so many users at once, for so long. */
public class Bench extends Simulation {
    {
        var url = System.getProperty("bench.url");
        int body = Integer.getInteger("bench.body");
        var request =
                body > 0
                        ? http("request").post(url).body(StringBody("x".repeat(body)))
                        : http("request").get(url);
        var users =
                scenario("users").during(Integer.getInteger("bench.seconds")).on(exec(request));
        setUp(users.injectOpen(atOnceUsers(Integer.getInteger("bench.connections"))));
    }
}
