/**
 * The JGroups cluster: who may join it ({@link io.phaseload.cluster.network.ClusterAccess},
 * {@link io.phaseload.cluster.network.ClusterKeys}), which each connection proves ({@code Identity}), whose commands an
 * agent obeys ({@link io.phaseload.cluster.network.Commands}), how its members reach each other
 * ({@link io.phaseload.cluster.network.Network}), and the two things built on it. A
 * {@link io.phaseload.cluster.network.Link} carries messages between a coordinator and its agents; a
 * {@link io.phaseload.cluster.network.Node} is one of equal processes, such as servers, that pass bytes to each other.
 *
 * <p>Nothing outside this package knows JGroups' protocols, only its addresses.
 */
package io.phaseload.cluster.network;
