/**
 * The client of the thread engine's users: a {@link io.phaseload.http.client.Client} for a run, a
 * {@link io.phaseload.http.UserSender} for a user in a phase. Ours is {@link io.phaseload.http.client.WireClient};
 * others are found by {@link java.util.ServiceLoader}, or given. A client is thread-safe, a sender is owned by one
 * thread.
 *
 * <p>It stands between {@code http} with {@code http.socket}, and {@code engine.threads}.
 */
package io.phaseload.http.client;
