/**
 * What TLS needs: certificates and keys from PEM files, whom to trust, and a socket for the JDK's
 * TLS whose input can be read without waiting. The threads' connections and the event loops use it;
 * it knows the plan's target alone. All but {@link io.phaseload.http.tls.TlsCarrier}, which belongs
 * to its connection's user, is immutable.
 */
package io.phaseload.http.tls;
