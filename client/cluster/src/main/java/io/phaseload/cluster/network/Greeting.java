package io.phaseload.cluster.network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.PublicKey;

/**
 * A coordinator that has authenticated itself.
 *
 * @param coordinator its address
 * @param own this machine's address on the way there
 * @param key the coordinator's key, with which it signs its commands
 */
public record Greeting(InetSocketAddress coordinator, InetAddress own, PublicKey key) {}
