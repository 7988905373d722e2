package io.phaseload.cluster.files;

import io.phaseload.cluster.wire.Message;
import io.phaseload.cluster.wire.SentFile;
import io.phaseload.files.PrivateFiles;
import io.phaseload.plan.Plan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * An agent's copies of the files that a plan names, in a folder that only its user can read, until the run is over. So
 * it never opens a file because a plan names that. {@link #receive()} is for the agent's thread; {@link #received} and
 * {@link #giveUp()} for any.
 */
public final class ReceivedFiles implements AutoCloseable {

    private final Message.RunOrder order;
    private final Consumer<Message> coordinator;
    // The piece that was asked for, and an empty one once no more is to come.
    private final BlockingQueue<Optional<Message.FilePiece>> pieces = new LinkedBlockingQueue<>(2);
    // Guarded by this.
    private Optional<Message.Want> wanted = Optional.empty();
    private final Map<Path, Path> copies = new HashMap<>();
    private Optional<Path> folder = Optional.empty();

    public ReceivedFiles(Message.RunOrder order, Consumer<Message> coordinator) {
        this.order = order;
        this.coordinator = coordinator;
    }

    /**
     * Asks for all of them, one piece after another, and waits.
     *
     * @throws IOException if they didn't come whole, or can't be kept
     */
    public void receive() throws IOException {
        List<SentFile> files = order.files();
        if (files.isEmpty()) {
            return;
        }
        if (files.stream().mapToLong(SentFile::bytes).sum() > SentFile.MOST_BYTES) {
            throw new IOException("more files than an agent takes");
        }
        Path own = Files.createTempDirectory("phaseload-agent");
        folder = Optional.of(own);
        for (int i = 0; i < files.size(); i++) {
            Path copy = own.resolve(Integer.toString(i));
            if (copies.putIfAbsent(Path.of(files.get(i).path()), copy) != null) {
                throw new IOException(files.get(i).path() + ": sent twice");
            }
            PrivateFiles.create(copy);
            receive(i, files.get(i), copy);
        }
    }

    private void receive(int index, SentFile file, Path copy) throws IOException {
        MessageDigest sum = OfferedFiles.newSum();
        try (OutputStream out = new DigestOutputStream(Files.newOutputStream(copy), sum)) {
            long at = 0;
            while (at < file.bytes()) {
                byte[] bytes = piece(index, at);
                at += bytes.length;
                if (bytes.length == 0 || at > file.bytes()) {
                    throw changed(file);
                }
                out.write(bytes);
            }
        }
        if (!OfferedFiles.text(sum).equals(file.sha256())) {
            throw changed(file);
        }
    }

    private static IOException changed(SentFile file) {
        return new IOException(file.path() + " changed while it was sent");
    }

    private byte[] piece(int file, long offset) throws IOException {
        Message.Want want = new Message.Want(order.run(), file, offset);
        synchronized (this) {
            wanted = Optional.of(want);
        }
        coordinator.accept(want);
        try {
            return pieces.take()
                    .orElseThrow(() -> new IOException("it ended before its files came"))
                    .bytes();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** Keeps the piece that was asked for, and no other. */
    public synchronized void received(Message.FilePiece piece) {
        if (wanted.equals(Optional.of(new Message.Want(piece.run(), piece.file(), piece.offset())))) {
            wanted = Optional.empty();
            pieces.offer(Optional.of(piece));
        }
    }

    /** Nothing more comes. */
    public void giveUp() {
        pieces.offer(Optional.empty());
    }

    /**
     * A plan to be run here: it takes nothing from this machine but what was sent.
     *
     * @param sent names files of the coordinator's
     * @return names their copies
     * @throws IllegalArgumentException if it names another file, or this machine's environment
     */
    public Plan local(Plan sent) {
        Plan local = sent.withFiles(this::copy).withVariables(order.variables());
        local.scenario().variables(Map.of());
        return local;
    }

    private Path copy(Path named) {
        return Optional.ofNullable(copies.get(named))
                .orElseThrow(() -> new IllegalArgumentException(named + ": it wasn't sent"));
    }

    @Override
    public void close() throws IOException {
        if (folder.isPresent()) {
            for (Path copy : copies.values()) {
                Files.deleteIfExists(copy);
            }
            Files.delete(folder.get());
        }
    }
}
