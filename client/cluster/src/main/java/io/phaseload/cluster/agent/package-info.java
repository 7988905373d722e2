/**
 * An {@link io.phaseload.cluster.agent.ClusterAgent}: it waits for work, runs its part of a plan and sends its
 * measurements to the coordinator. A plan runs in the agent's own thread, and receives the coordinator's messages in
 * those of JGroups.
 */
package io.phaseload.cluster.agent;
