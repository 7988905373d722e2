/**
 * Encrypts connections with BoringSSL or the JDK, with the same trust and the same failures.
 * {@link io.phaseload.events.tls.Tls} is shared by all loops; a handler that it makes belongs to one connection.
 */
package io.phaseload.events.tls;
