/**
 * Figures of a process and its machine under load: a {@link io.phaseload.host.HostProbe} reads Linux's text files, by
 * the parsers of {@link io.phaseload.host.linux}, and the JVM's beans into a {@link io.phaseload.host.HostSample}, and
 * a {@link io.phaseload.host.HostFigure} makes a number of two of them. Figures that a system lacks are absent. A probe
 * belongs to one thread at a time, all else is immutable. It needs nothing but the JDK, so that a server can report the
 * same.
 */
package io.phaseload.host;
