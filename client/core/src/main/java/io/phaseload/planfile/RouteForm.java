package io.phaseload.planfile;

import io.phaseload.options.ValueException;
import io.phaseload.plan.Target;
import io.phaseload.plan.connection.Proxy;
import io.phaseload.plan.connection.Route;
import io.phaseload.plan.engine.EngineSettings;
import io.phaseload.settings.Given;
import io.phaseload.settings.Setting;
import io.phaseload.settings.Settings;
import io.phaseload.settings.SettingsException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** The way to a target as settings, written as curl writes it, and as a document. */
final class RouteForm {

    private static final String HOST = "[^:\\[\\]/,]+|\\[[0-9a-fA-F:.]+]";

    /** The replaced host and port; empty for any. */
    private static final String FROM = "(" + HOST + "|):(\\d{1,5}|):";

    private static final Pattern ADDRESSES = Pattern.compile(FROM + "((?:" + HOST + ")(?:,(?:" + HOST + "))*)");

    private static final Pattern NODE = Pattern.compile("(" + HOST + "):(\\d{1,5})");

    private static final Pattern OTHER = Pattern.compile(FROM + "(" + HOST + "|):(\\d{1,5}|)");

    private RouteForm() {}

    /**
     * The target with the way that settings ask for.
     *
     * @throws SettingsException naming what can't be read, or isn't about this target
     */
    static Target read(Settings settings, Target target) {
        if (!settings.text(Setting.CLIENT).equals(EngineSettings.WIRE)) {
            // It has a proxy of its own.
            return target;
        }
        return settings.read("target.resolve", text -> resolve(text, target))
                .or(() -> settings.read("target.connectTo", text -> to(text, target)))
                .or(() -> settings.read("target.nodes", RouteForm::nodes))
                .or(() -> settings.one("target.unixSocket").map(Given::file).map(Route.UnixSocket::new))
                .or(() -> settings.read("client.proxy", Proxy::parse).map(proxy -> by(settings, proxy, target)))
                .map(target::by)
                .orElse(target);
    }

    private static Route by(Settings settings, Proxy proxy, Target target) {
        if (settings.flag("engine.http2") && proxy.kind() == Proxy.Kind.HTTP && !target.tls()) {
            throw settings.conflict("engine.http2", "client.proxy");
        }
        return new Route.By(proxy);
    }

    private static Route resolve(String text, Target target) {
        Matcher matcher = matcher(ADDRESSES, text, target);
        return new Route.To(
                Stream.of(matcher.group(3).split(",")).map(RouteForm::bare).toList(), target.port());
    }

    private static Route to(String text, Target target) {
        Matcher matcher = matcher(OTHER, text, target);
        String host = matcher.group(3);
        String port = matcher.group(4);
        return new Route.To(
                List.of(host.isEmpty() ? target.host() : bare(host)),
                port.isEmpty() ? target.port() : Integer.parseInt(port));
    }

    private static Route nodes(String text) {
        List<Route.To> nodes = new ArrayList<>();
        for (String node : text.split(",", -1)) {
            Matcher matcher = NODE.matcher(node);
            if (!matcher.matches()) {
                throw new IllegalArgumentException();
            }
            nodes.add(new Route.To(List.of(bare(matcher.group(1))), Integer.parseInt(matcher.group(2))));
        }
        return new Route.Nodes(nodes);
    }

    private static Matcher matcher(Pattern pattern, String text, Target target) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException();
        }
        String host = matcher.group(1);
        String port = matcher.group(2);
        boolean ours = host.isEmpty() || bare(host).equalsIgnoreCase(target.host()) || host.equals("*");
        if (!ours || !port.isEmpty() && Integer.parseInt(port) != target.port()) {
            throw new ValueException(
                    "it for %s:%d, which requests are sent to".formatted(written(target.host()), target.port()));
        }
        return matcher;
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static String written(String host) {
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }

    private static String written(Route.To to) {
        return written(to.hosts().get(0)) + ":" + to.port();
    }

    private static <T> String joined(List<T> list, Function<T, String> text) {
        return list.stream().map(text).collect(Collectors.joining(","));
    }

    /** Whatever {@link #read} reads. */
    static void write(ObjectNode plan, Target target, boolean secrets) {
        Route route = target.route();
        ObjectNode own = plan.withObject("target");
        if (route instanceof Route.To to && to.port() == target.port()) {
            own.put("resolve", "::" + joined(to.hosts(), RouteForm::written));
        } else if (route instanceof Route.To to) {
            own.put("connectTo", "::" + written(to));
        } else if (route instanceof Route.Nodes several) {
            own.put("nodes", joined(several.nodes(), RouteForm::written));
        } else if (route instanceof Route.UnixSocket socket) {
            own.put("unixSocket", socket.file().toString());
        } else if (route instanceof Route.By by) {
            plan.withObject("client")
                    .put("name", EngineSettings.WIRE)
                    .put("proxy", secrets ? by.proxy().withSecret() : by.proxy().toString());
        }
    }

    /** In place of what {@link #write} wrote, for a file that may be put anywhere. */
    static void writeAbsolute(ObjectNode plan, Target target) {
        if (target.route() instanceof Route.UnixSocket socket) {
            plan.withObject("target")
                    .put("unixSocket", socket.file().toAbsolutePath().toString());
        }
    }
}
