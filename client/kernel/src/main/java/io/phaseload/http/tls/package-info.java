/**
 * The parts of TLS: certificates and keys from PEM files, trusted authorities, and a socket for the JDK's TLS whose
 * input can be read without blocking. Used by threads and event loops; of the plan it knows only the target. Immutable,
 * except for {@link io.phaseload.http.tls.TlsCarrier}, which belongs to its connection's user.
 */
package io.phaseload.http.tls;
