package io.phaseload.originals.eventstore;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys.Log;
import org.apache.ratis.server.RaftServerConfigKeys.Read;
import org.apache.ratis.server.RaftServerConfigKeys.Rpc;
import org.apache.ratis.server.RaftServerConfigKeys.Snapshot;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** One peer of the Raft group, with its log and its events. */
final class Peer implements AutoCloseable {
    /** Entries after which a snapshot is taken and the log before it is removed, once each peer has it. */
    static final int SNAPSHOT_EVERY = 128;

    private static final UUID GROUP = new UUID(0x7068_6173_656cL, 5);

    final RaftServer server;
    final RaftGroup group;

    Peer(Settings settings) throws IOException {
        group = group(settings);
        Files.createDirectories(settings.data());
        server = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(settings.name()))
                .setGroup(group)
                .setOption(RaftStorage.StartupOption.RECOVER)
                .setProperties(properties(settings))
                .setStateMachineRegistry(
                        id -> new EventMachine(new Events(settings.data().resolve("events.mv"))))
                .build();
        server.start();
    }

    private static RaftGroup group(Settings settings) {
        List<RaftPeer> peers = new ArrayList<>();
        settings.peers()
                .forEach((name, address) -> peers.add(RaftPeer.newBuilder()
                        .setId(name)
                        .setAddress(address)
                        .setPriority(peers.isEmpty() ? 1 : 0)
                        .build()));
        return RaftGroup.valueOf(RaftGroupId.valueOf(GROUP), peers);
    }

    private static RaftProperties properties(Settings settings) {
        RaftProperties properties = new RaftProperties();
        InetSocketAddress address = settings.peers().get(settings.name());
        GrpcConfigKeys.Server.setHost(properties, address.getHostString());
        GrpcConfigKeys.Server.setPort(properties, address.getPort());
        RaftServerConfigKeys.setStorageDir(
                properties, List.of(settings.data().resolve("log").toFile()));
        // A pause of a busy machine, or a continent between two peers, is no reason for an election.
        Rpc.setTimeoutMin(properties, TimeDuration.valueOf("2s", null));
        Rpc.setTimeoutMax(properties, TimeDuration.valueOf("4s", null));
        Rpc.setFirstElectionTimeoutMin(properties, TimeDuration.valueOf("200ms", null));
        Rpc.setFirstElectionTimeoutMax(properties, TimeDuration.valueOf("600ms", null));
        Read.setOption(properties, Read.Option.LINEARIZABLE);
        Snapshot.setAutoTriggerEnabled(properties, true);
        Snapshot.setAutoTriggerThreshold(properties, SNAPSHOT_EVERY);
        Log.setPurgeGap(properties, 1);
        Log.setSegmentSizeMax(properties, SizeInBytes.valueOf("16MB"));
        Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf("32MB"));
        return properties;
    }

    /** Whether this peer is the leader and takes commands. A new one reads before it does. */
    boolean isReady() {
        try {
            return server.getDivision(group.getGroupId()).getInfo().isLeaderReady();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
