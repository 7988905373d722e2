/**
 * One plan on many machines. A {@link io.phaseload.cluster.Coordinator} waits for
 * {@link io.phaseload.cluster.agent.ClusterAgent}s, deals them the plan, starts each phase on all of them at the same
 * moment, and makes one {@link io.phaseload.result.Result} of what they measured. They are members of a JGroups cluster
 * ({@code network}); their messages are in {@code wire}.
 *
 * <p>A star: agents talk to the coordinator only, unless they have the two ends of messages. All that happens to a
 * coordinator waits in one queue for one thread, that of {@link io.phaseload.cluster.ClusterRun}; the state of a run is
 * that thread's.
 *
 * <p>Comes after {@code client/core}, which knows nothing of it, and before the command line.
 */
package io.phaseload.cluster;
