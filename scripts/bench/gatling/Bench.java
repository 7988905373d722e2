import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.csv;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;

/** One request over and over, or the journey with a file of data, by so many users at once, for so long. */
public class Bench extends Simulation {
    {
        var url = System.getProperty("bench.url");
        var data = System.getProperty("bench.data", "");
        var users =
                scenario("users")
                        .during(Integer.getInteger("bench.seconds"))
                        .on(data.isEmpty() ? request(url) : journey(url, data));
        setUp(users.injectOpen(atOnceUsers(Integer.getInteger("bench.connections"))));
    }

    private static ChainBuilder request(String url) {
        int body = Integer.getInteger("bench.body");
        return exec(
                body > 0
                        ? http("request").post(url).body(StringBody("x".repeat(body)))
                        : http("request").get(url));
    }

    private static ChainBuilder journey(String url, String data) {
        return feed(csv(data).circular())
                .exec(
                        http("login")
                                .post(url + "login")
                                .header("Content-Type", "application/json")
                                .body(StringBody("{\"user\": \"#{name}\"}"))
                                .check(jsonPath("$.token").saveAs("token")))
                .exec(
                        http("items")
                                .get(url + "items?of=#{name}")
                                .header("Authorization", "Bearer #{token}")
                                .check(status().is(200))
                                .check(substring("items"))
                                .check(
                                        Boolean.getBoolean("bench.jsonCheck")
                                                ? jsonPath("$.items[0].id").is("7").saveAs("id")
                                                : jsonPath("$.items[0].id").saveAs("id")));
    }
}
