package io.phaseload.originals.eventstore;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The arguments of a process, which is one peer and its endpoints.
 *
 * @param name the peer's name
 * @param peers the addresses of all peers by name; the first becomes the leader if it can
 * @param http the address of the endpoints
 * @param data the folder of the log and of the events
 * @param embedded true if endpoints call the only peer without gRPC
 */
record Settings(
        String name, Map<String, InetSocketAddress> peers, InetSocketAddress http, Path data, boolean embedded) {
    private static final String USAGE = "expected NAME NAME=HOST:PORT,... HTTP-HOST:PORT FOLDER [embedded]";
    private static final Pattern ADDRESS = Pattern.compile("(?:(\\w+)=)?([\\w.-]+):(\\d{1,5})");

    Settings {
        if (!peers.containsKey(name)) {
            throw new IllegalArgumentException("name: expected one of " + peers.keySet() + ", got " + name);
        }
        if (embedded && peers.size() > 1) {
            throw new IllegalArgumentException("embedded needs a single peer, got " + peers.size());
        }
    }

    static Settings of(String... arguments) {
        boolean embedded = arguments.length == 5 && arguments[4].equals("embedded");
        if (arguments.length != 4 && !embedded) {
            throw new IllegalArgumentException(USAGE);
        }
        Map<String, InetSocketAddress> peers = new LinkedHashMap<>();
        for (String peer : arguments[1].split(",")) {
            Matcher matcher = matched(peer);
            peers.put(matcher.group(1), address(matcher));
        }
        return new Settings(arguments[0], peers, address(matched(arguments[2])), Path.of(arguments[3]), embedded);
    }

    private static Matcher matched(String address) {
        Matcher matcher = ADDRESS.matcher(address);
        if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > 65_535) {
            throw new IllegalArgumentException(USAGE + ", got " + address);
        }
        return matcher;
    }

    private static InetSocketAddress address(Matcher matcher) {
        return InetSocketAddress.createUnresolved(matcher.group(2), Integer.parseInt(matcher.group(3)));
    }
}
