/**
 * The part that all engines share. An {@link io.phaseload.engine.Engine} creates the users of a phase as
 * {@link io.phaseload.engine.PhaseUsers}; the one in {@code threads} is always there, others are found by
 * {@link java.util.ServiceLoader}.
 *
 * <p>{@link io.phaseload.engine.RunController} goes through the phases in the caller's thread, the coordinator: users
 * get ready, the {@link io.phaseload.run.StartGate} opens, the clock starts, users are released, the last one ends, the
 * clock stops, the counts are closed. Users share a {@link io.phaseload.engine.PhaseRun}: what the plan says
 * ({@link io.phaseload.user.PhaseSettings}), whether the run goes on ({@link io.phaseload.engine.RunControl},
 * thread-safe), and clock and counts ({@link io.phaseload.engine.PhaseAccounting}). A
 * {@link io.phaseload.run.RunListener} receives the progress.
 *
 * <p>On the way it comes after {@code user} and {@code http}, and before {@code result}.
 */
package io.phaseload.engine;
