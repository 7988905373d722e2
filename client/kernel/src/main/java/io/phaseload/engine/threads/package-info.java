/**
 * The engine that is always there: a thread per virtual user, platform or virtual, over blocking sockets. Users send
 * with an {@link io.phaseload.http.client.Client}'s. Each {@link io.phaseload.engine.threads.ThreadUser} is owned by
 * its thread, and shares with the others what a {@link io.phaseload.engine.PhaseRun} holds.
 *
 * <p>It comes after {@code engine}, like other engines; only {@link java.util.ServiceLoader} knows it. Reading order:
 * {@link io.phaseload.engine.threads.ThreadEngine}, {@link io.phaseload.engine.threads.ThreadUsers} (the phase's two
 * barriers), {@link io.phaseload.engine.threads.ThreadUser} (the loop).
 */
package io.phaseload.engine.threads;
