/**
 * The next action of one virtual user, and its time: the rules that all engines share. Nothing here reads a clock,
 * waits, or does I/O: an engine passes the time in, waits, sends, and reports the response.
 *
 * <p>A {@link io.phaseload.user.VirtualUser} is owned by one thread; {@link io.phaseload.user.Arrivals},
 * {@link io.phaseload.user.ConnectPace} and {@link io.phaseload.user.Reachability} are shared by the users of a phase
 * or a run; they document their threading.
 *
 * <p>On the way it comes after {@code plan}, {@code schedule} and {@code measure}, and before {@code engine}. Reading
 * order: {@link io.phaseload.user.PhaseSettings}, {@link io.phaseload.user.VirtualUser},
 * {@link io.phaseload.user.ClosedUser}, {@link io.phaseload.user.OpenUser}.
 */
package io.phaseload.user;
