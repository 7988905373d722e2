package io.phaseload.originals.cassandra;

import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistanceEvaluator;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;

/**
 * Of a cluster, only one node is used.
 *
 * @param address the node's address for clients
 */
record OneNode(InetSocketAddress address) implements NodeDistanceEvaluator {

    @Override
    public NodeDistance evaluateDistance(Node node, String localDatacenter) {
        boolean same = node.getEndPoint().resolve() instanceof InetSocketAddress other
                && address.getAddress().equals(other.getAddress());
        return same ? NodeDistance.LOCAL : NodeDistance.IGNORED;
    }
}
