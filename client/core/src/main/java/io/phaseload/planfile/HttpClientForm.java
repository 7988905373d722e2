package io.phaseload.planfile;

import io.phaseload.input.Secrets;
import io.phaseload.options.Quantities;
import io.phaseload.plan.connection.Credentials;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.engine.Access;
import io.phaseload.plan.engine.ConnectionPool;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.plan.engine.HttpClientSettings.Feature;
import io.phaseload.planfile.phases.ScheduleForm;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Apache HttpClient as settings and as a document. */
final class HttpClientForm {

    private static final String USER = "user";

    private static final Map<Feature, String> FLAGS = new EnumMap<>(Map.of(
            Feature.FOLLOW_REDIRECTS, "client.followRedirects",
            Feature.KEEP_COOKIES, "client.keepCookies",
            Feature.DECODE, "client.decode",
            Feature.EXPECT_CONTINUE, "client.expectContinue"));

    private HttpClientForm() {}

    /** Empty for our own client; {@link SessionForm} has what can be asked of it. */
    static Optional<HttpClientSettings> read(Settings settings) {
        if (!settings.text(Setting.CLIENT).equals(HttpClientSettings.NAME)) {
            return Optional.empty();
        }
        return Optional.of(new HttpClientSettings(
                pool(settings),
                settings.time("client.leaseTimeout"),
                (int) settings.count("client.retries"),
                FLAGS.entrySet().stream()
                        .filter(flag -> settings.flag(flag.getValue()))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()),
                access(settings)));
    }

    private static Access access(Settings settings) {
        return new Access(
                settings.read("client.credentials", Credentials::parse),
                settings.one("client.bearerToken").map(Given::text),
                settings.read("client.proxy", Proxy::parse));
    }

    private static ConnectionPool pool(Settings settings) {
        OptionalInt total = settings.read("client.pool", HttpClientForm::size).orElseGet(ConnectionPool.DEFAULT::total);
        if (total.isEmpty() && settings.has("client.poolPerRoute")) {
            throw settings.given("client.poolPerRoute").needs("client.pool", "N");
        }
        return new ConnectionPool(
                total,
                settings.number("client.poolPerRoute"),
                ConnectionPool.Policy.valueOf(word(settings, "client.poolPolicy")),
                ConnectionPool.Concurrency.valueOf(word(settings, "client.poolConcurrency")),
                settings.period("client.poolTimeToLive"),
                settings.time("client.poolValidateAfter"),
                settings.time("client.poolKeepAlive"));
    }

    private static OptionalInt size(String text) {
        if (text.equals(USER)) {
            return OptionalInt.empty();
        }
        int count = (int) Math.min(Integer.MAX_VALUE, Quantities.parseCount(text, 1));
        return ConnectionPool.DEFAULT.of(count).total();
    }

    private static String word(Settings settings, String setting) {
        return settings.text(setting).toUpperCase(Locale.ROOT);
    }

    /** All of it, so that a reader of a result sees what held. */
    static ObjectNode write(HttpClientSettings client, boolean secrets) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", HttpClientSettings.NAME);
        ConnectionPool pool = client.pool();
        if (pool.total().isPresent()) {
            json.put("pool", pool.total().getAsInt());
        } else {
            json.put("pool", USER);
        }
        pool.perRoute().ifPresent(count -> json.put("poolPerRoute", count));
        json.put("poolPolicy", Given.word(pool.policy()));
        json.put("poolConcurrency", Given.word(pool.concurrency()));
        pool.timeToLive().ifPresent(time -> json.put("poolTimeToLiveMs", ScheduleForm.millis(time)));
        json.put("poolValidateAfterMs", ScheduleForm.millis(pool.validateAfter()));
        json.put("poolKeepAliveMs", ScheduleForm.millis(pool.keepAlive()));
        json.put("leaseTimeoutMs", ScheduleForm.millis(client.leaseTimeout()));
        json.put("retries", client.retries());
        FLAGS.forEach((feature, flag) -> {
            if (client.features().contains(feature)) {
                json.put(flag.substring(flag.indexOf('.') + 1), true);
            }
        });
        client.access()
                .credentials()
                .ifPresent(
                        any -> json.put("credentials", secrets ? any.name() + ":" + any.password() : any + ":" + any));
        client.access().bearerToken().ifPresent(token -> json.put("bearerToken", secrets ? token : Secrets.REDACTED));
        client.access().proxy().ifPresent(proxy -> json.put("proxy", secrets ? proxy.withSecret() : proxy.toString()));
        return json;
    }
}
