package io.phaseload.planfile;

import static io.phaseload.settings.Setting.BEARER_TOKEN;
import static io.phaseload.settings.Setting.CLIENT;
import static io.phaseload.settings.Setting.CREDENTIALS;
import static io.phaseload.settings.Setting.DECODE;
import static io.phaseload.settings.Setting.EXPECT_CONTINUE;
import static io.phaseload.settings.Setting.FOLLOW_REDIRECTS;
import static io.phaseload.settings.Setting.KEEP_COOKIES;
import static io.phaseload.settings.Setting.LEASE_TIMEOUT;
import static io.phaseload.settings.Setting.POOL;
import static io.phaseload.settings.Setting.POOL_CONCURRENCY;
import static io.phaseload.settings.Setting.POOL_KEEP_ALIVE;
import static io.phaseload.settings.Setting.POOL_PER_ROUTE;
import static io.phaseload.settings.Setting.POOL_POLICY;
import static io.phaseload.settings.Setting.POOL_TIME_TO_LIVE;
import static io.phaseload.settings.Setting.POOL_VALIDATE_AFTER;
import static io.phaseload.settings.Setting.PROXY;
import static io.phaseload.settings.Setting.RETRIES;

import io.phaseload.input.Secrets;
import io.phaseload.options.Quantities;
import io.phaseload.plan.engine.Access;
import io.phaseload.plan.engine.ConnectionPool;
import io.phaseload.plan.engine.Credentials;
import io.phaseload.plan.engine.HttpClientSettings;
import io.phaseload.plan.engine.HttpClientSettings.Feature;
import io.phaseload.plan.engine.Proxy;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
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

    private static final Map<Feature, Setting> FLAGS = new EnumMap<>(Map.of(
            Feature.FOLLOW_REDIRECTS, FOLLOW_REDIRECTS,
            Feature.KEEP_COOKIES, KEEP_COOKIES,
            Feature.DECODE, DECODE,
            Feature.EXPECT_CONTINUE, EXPECT_CONTINUE));

    /** Settings of this client only. */
    private static final List<Setting> OWN = List.of(
            POOL,
            POOL_PER_ROUTE,
            POOL_POLICY,
            POOL_CONCURRENCY,
            POOL_TIME_TO_LIVE,
            POOL_VALIDATE_AFTER,
            POOL_KEEP_ALIVE,
            LEASE_TIMEOUT,
            RETRIES,
            BEARER_TOKEN,
            EXPECT_CONTINUE);

    private HttpClientForm() {}

    /** Empty for our own client; {@link SessionForm} has what can be asked of it. */
    static Optional<HttpClientSettings> read(Settings settings) {
        if (!settings.text(CLIENT).equals(HttpClientSettings.NAME)) {
            for (Setting own : OWN) {
                if (EngineForm.isAsked(settings, own)) {
                    throw settings.given(own).needs(CLIENT, HttpClientSettings.NAME);
                }
            }
            return Optional.empty();
        }
        return Optional.of(new HttpClientSettings(
                pool(settings),
                settings.time(LEASE_TIMEOUT),
                (int) settings.count(RETRIES),
                FLAGS.entrySet().stream()
                        .filter(flag -> settings.flag(flag.getValue()))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()),
                access(settings)));
    }

    private static Access access(Settings settings) {
        return new Access(
                settings.read(CREDENTIALS, Credentials::parse),
                settings.one(BEARER_TOKEN).map(Given::text),
                settings.read(PROXY, Proxy::parse));
    }

    private static ConnectionPool pool(Settings settings) {
        OptionalInt total = settings.read(POOL, HttpClientForm::size).orElseGet(ConnectionPool.DEFAULT::total);
        if (total.isEmpty() && settings.has(POOL_PER_ROUTE)) {
            throw settings.given(POOL_PER_ROUTE).needs(POOL, "N");
        }
        return new ConnectionPool(
                total,
                settings.has(POOL_PER_ROUTE)
                        ? OptionalInt.of((int) settings.count(POOL_PER_ROUTE))
                        : OptionalInt.empty(),
                ConnectionPool.Policy.valueOf(word(settings, POOL_POLICY)),
                ConnectionPool.Concurrency.valueOf(word(settings, POOL_CONCURRENCY)),
                settings.has(POOL_TIME_TO_LIVE) ? Optional.of(settings.time(POOL_TIME_TO_LIVE)) : Optional.empty(),
                settings.time(POOL_VALIDATE_AFTER),
                settings.time(POOL_KEEP_ALIVE));
    }

    private static OptionalInt size(String text) {
        if (text.equals(USER)) {
            return OptionalInt.empty();
        }
        int count = (int) Math.min(Integer.MAX_VALUE, Quantities.parseCount(text, 1));
        return ConnectionPool.DEFAULT.of(count).total();
    }

    private static String word(Settings settings, Setting setting) {
        return settings.text(setting).toUpperCase(Locale.ROOT);
    }

    /** All of it but secrets: a reader of a result sees what held. */
    static ObjectNode write(HttpClientSettings client) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", HttpClientSettings.NAME);
        ConnectionPool pool = client.pool();
        if (pool.total().isPresent()) {
            json.put("pool", pool.total().getAsInt());
        } else {
            json.put("pool", USER);
        }
        pool.perRoute().ifPresent(count -> json.put("poolPerRoute", count));
        json.put("poolPolicy", pool.policy().name().toLowerCase(Locale.ROOT));
        json.put("poolConcurrency", pool.concurrency().name().toLowerCase(Locale.ROOT));
        pool.timeToLive().ifPresent(time -> json.put("poolTimeToLiveMs", millis(time)));
        json.put("poolValidateAfterMs", millis(pool.validateAfter()));
        json.put("poolKeepAliveMs", millis(pool.keepAlive()));
        json.put("leaseTimeoutMs", millis(client.leaseTimeout()));
        json.put("retries", client.retries());
        FLAGS.forEach((feature, flag) -> {
            if (client.features().contains(feature)) {
                json.put(flag.key().substring(flag.key().lastIndexOf('/') + 1), true);
            }
        });
        client.access().credentials().ifPresent(any -> json.put("credentials", any + ":" + any));
        client.access().bearerToken().ifPresent(any -> json.put("bearerToken", Secrets.REDACTED));
        client.access().proxy().ifPresent(proxy -> json.put("proxy", proxy.toString()));
        return json;
    }

    /** In place of what {@link #write} wrote. */
    static void writeSecrets(ObjectNode json, Access access) {
        access.credentials().ifPresent(own -> json.put("credentials", own.name() + ":" + own.password()));
        access.bearerToken().ifPresent(token -> json.put("bearerToken", token));
        access.proxy().ifPresent(proxy -> json.put("proxy", proxy.withSecret()));
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }
}
