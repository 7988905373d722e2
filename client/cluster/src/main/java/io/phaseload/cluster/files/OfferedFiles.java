package io.phaseload.cluster.files;

import io.phaseload.cluster.wire.Message;
import io.phaseload.cluster.wire.SentFile;
import io.phaseload.plan.Plan;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The files that a plan names, on the coordinator's machine: agents ask for them in pieces, and for no others. */
public final class OfferedFiles {

    private static final int PIECE_BYTES = 1 << 20;

    private final List<Path> paths;
    private final List<SentFile> files = new ArrayList<>();

    private OfferedFiles(List<Path> paths) {
        this.paths = paths;
    }

    /**
     * Reads each of them once, for its checksum.
     *
     * @throws IOException if one can't be read
     */
    public static OfferedFiles of(Plan plan) throws IOException {
        OfferedFiles offered = new OfferedFiles(List.copyOf(plan.files()));
        for (Path path : offered.paths) {
            MessageDigest sum = newSum();
            long bytes;
            try (InputStream in = new DigestInputStream(Files.newInputStream(path), sum)) {
                bytes = in.transferTo(OutputStream.nullOutputStream());
            }
            offered.files.add(new SentFile(path.toString(), bytes, text(sum)));
        }
        return offered;
    }

    /**
     * Checks that agents take them.
     *
     * @throws IOException naming a file that isn't one, or saying that they are too large
     */
    public static void check(Plan plan) throws IOException {
        long bytes = 0;
        for (Path path : plan.files()) {
            if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
                throw new IOException(path + ": expected a file that can be read");
            }
            bytes += Files.size(path);
        }
        if (bytes > SentFile.MOST_BYTES) {
            throw new IOException(
                    "files of the plan: %,d bytes: agents take at most %,d".formatted(bytes, SentFile.MOST_BYTES));
        }
    }

    static MessageDigest newSum() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String text(MessageDigest sum) {
        return HexFormat.of().formatHex(sum.digest());
    }

    public List<SentFile> files() {
        return files;
    }

    /**
     * A request of an agent.
     *
     * @throws IllegalArgumentException if there is no such piece
     * @throws IOException if the file can't be read any more
     */
    public Message.FilePiece piece(Message.Want want) throws IOException {
        if (want.file() < 0
                || want.file() >= files.size()
                || want.offset() < 0
                || want.offset() >= files.get(want.file()).bytes()) {
            throw new IllegalArgumentException("a piece of no file");
        }
        ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
        try (FileChannel file = FileChannel.open(paths.get(want.file()))) {
            long at = want.offset();
            for (int read = 0; read >= 0 && piece.hasRemaining(); at += read) {
                read = file.read(piece, at);
            }
        }
        return new Message.FilePiece(
                want.run(), want.file(), want.offset(), Arrays.copyOf(piece.array(), piece.position()));
    }
}
