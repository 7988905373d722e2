package io.phaseload.websocket.mqtt;

import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttVersion;
import io.phaseload.plan.Header;
import io.phaseload.plan.Target;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** How the connections of one run introduce themselves by MQTT. Thread-safe. */
public final class MqttClients {

    private static final String BASIC = "Basic ";
    private static final int RADIX = 36;
    private static final long IDS = (long) Math.pow(RADIX, 6);

    // Servers must take 23 letters and digits.
    private final String prefix =
            "pl" + Long.toString(ThreadLocalRandom.current().nextLong(IDS), RADIX);
    private final int keepAliveSeconds;
    private final Optional<String> user;
    private final Optional<byte[]> password;

    /**
     * The clients of a run.
     *
     * @param target its header {@code Authorization} has the user and the password
     * @param ping the time between pings; a server may end a connection that is silent for three times as long
     * @throws IllegalArgumentException naming a header that MQTT over TCP can't carry
     */
    public MqttClients(Target target, Optional<Duration> ping) {
        keepAliveSeconds = ping.map(every -> (int) Math.min(0xffff, 1 + 2 * every.toNanos() / 1_000_000_000))
                .orElse(0);
        Optional<String> login = Optional.empty();
        boolean tcp = Target.isMqtt(target.uri().toString());
        for (Header header : target.headers()) {
            boolean basic = header.name().equalsIgnoreCase("Authorization")
                    && header.value().startsWith(BASIC);
            if (basic) {
                byte[] both = Base64.getDecoder().decode(header.value().substring(BASIC.length()));
                login = Optional.of(new String(both, StandardCharsets.UTF_8));
            } else if (tcp) {
                throw new IllegalArgumentException(
                        "header %s cannot be combined with mqtt://, which has only a user".formatted(header.name())
                                + " and a password (-u)");
            }
        }
        user = login.map(both -> both.replaceFirst("(?s):.*", ""));
        password = login.filter(both -> both.contains(":"))
                .map(both -> both.substring(both.indexOf(':') + 1))
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The first packet of a connection.
     *
     * @param place of a connection of its pair
     */
    MqttConnectMessage connect(long pair, int place) {
        return MqttMessageBuilders.connect()
                .protocolVersion(MqttVersion.MQTT_3_1_1)
                .clientId(prefix + "p" + pair + "c" + place)
                .cleanSession(true)
                .keepAlive(keepAliveSeconds)
                .hasUser(user.isPresent())
                .hasPassword(password.isPresent())
                .username(user.orElse(null))
                .password(password.orElse(null))
                .build();
    }
}
