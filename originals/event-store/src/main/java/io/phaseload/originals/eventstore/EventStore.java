package io.phaseload.originals.eventstore;

import java.io.IOException;

/** A running peer with its endpoints. */
final class EventStore implements AutoCloseable {
    final Peer peer;
    final Raft raft;
    final Endpoints endpoints;

    EventStore(Settings settings) throws IOException {
        peer = new Peer(settings);
        raft = settings.embedded() ? new EmbeddedRaft(peer) : new RemoteRaft(peer);
        endpoints = new Endpoints(settings, raft);
    }

    @Override
    public void close() {
        try (peer;
                raft) {
            endpoints.close();
        } catch (IOException e) {
            System.err.println("event-store: " + e);
        }
    }

    /** Runs a peer until the process is terminated. */
    public static void main(String[] arguments) throws IOException {
        Settings settings;
        try {
            settings = Settings.of(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("event-store: " + e.getMessage());
            System.exit(2);
            return;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(new EventStore(settings)::close));
    }
}
