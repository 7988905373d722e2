package io.phaseload.cluster.network;

import io.phaseload.cluster.wire.Message;
import io.phaseload.cluster.wire.MessageForm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;

/**
 * Messages as bytes. A coordinator signs its commands with the key that it authenticated itself with, and an agent
 * ignores all others: members other than its coordinator can't command it. A signature is valid once and for one agent,
 * since it covers a number that grows and the agent's id, which is random and new each time that it joins.
 */
public final class Commands {

    private static final String ALGORITHM = "SHA256withECDSA";
    private static final byte[] PURPOSE = "phaseload command".getBytes(StandardCharsets.US_ASCII);

    /** The first byte; a message without a signature begins with a brace. */
    private static final byte SIGNED = 1;

    /** In front of the signature: {@link #SIGNED}, the number, and the signature's length. */
    private static final int HEAD_BYTES = 1 + Long.BYTES + 1;

    private final Optional<PrivateKey> own;
    private final Optional<PublicKey> coordinator;
    private final AtomicLong sent = new AtomicLong();
    // Guarded by this.
    private long received;

    private Commands(Optional<PrivateKey> own, Optional<PublicKey> coordinator) {
        this.own = own;
        this.coordinator = coordinator;
    }

    /** Commands of a coordinator with a key. */
    static Commands signedBy(PrivateKey key) {
        return new Commands(Optional.of(key), Optional.empty());
    }

    /** Commands that an agent obeys. */
    static Commands checkedBy(PublicKey coordinator) {
        return new Commands(Optional.empty(), Optional.of(coordinator));
    }

    /** Messages of members that have no coordinator. */
    static Commands none() {
        return new Commands(Optional.empty(), Optional.empty());
    }

    /** Any member may ask for the time, and engines of agents send each other messages. */
    private static boolean isCommand(Message message) {
        return !(message instanceof Message.ClockPing
                || message instanceof Message.ClockPong
                || message instanceof Message.PartnerBytes);
    }

    /**
     * A message for one member. Commands of two threads may arrive in another order, and then one of them is ignored.
     */
    byte[] write(Address to, Message message) {
        byte[] content = MessageForm.write(message);
        if (own.isEmpty() || !isCommand(message)) {
            return content;
        }
        try {
            long number = sent.incrementAndGet();
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(own.get());
            update(signature, to, number, content, 0, content.length);
            byte[] sign = signature.sign();
            return ByteBuffer.allocate(HEAD_BYTES + sign.length + content.length)
                    .put(SIGNED)
                    .putLong(number)
                    .put((byte) sign.length)
                    .put(sign)
                    .put(content)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A message to this member; empty for a command that isn't the coordinator's.
     *
     * @throws IllegalArgumentException if it is no message
     */
    Optional<Message> read(Address self, byte[] bytes, int offset, int length) {
        boolean signed = length > HEAD_BYTES && bytes[offset] == SIGNED;
        int skip = signed ? HEAD_BYTES + bytes[offset + HEAD_BYTES - 1] : 0;
        if (skip < 0 || skip > length) {
            throw new IllegalArgumentException("no message");
        }
        Message message = MessageForm.read(bytes, offset + skip, length - skip);
        boolean valid = coordinator.isEmpty()
                || !isCommand(message)
                || signed && isNext(self, coordinator.get(), ByteBuffer.wrap(bytes, offset, length), skip);
        return valid ? Optional.of(message) : Optional.empty();
    }

    private synchronized boolean isNext(Address self, PublicKey by, ByteBuffer bytes, int skip) {
        int offset = bytes.position();
        long number = bytes.getLong(offset + 1);
        if (number <= received) {
            return false;
        }
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(by);
            update(signature, self, number, bytes.array(), offset + skip, bytes.remaining() - skip);
            if (!signature.verify(Arrays.copyOfRange(bytes.array(), offset + HEAD_BYTES, offset + skip))) {
                return false;
            }
        } catch (GeneralSecurityException e) {
            return false;
        }
        received = number;
        return true;
    }

    private static void update(Signature signature, Address to, long number, byte[] bytes, int offset, int length)
            throws GeneralSecurityException {
        signature.update(PURPOSE);
        signature.update(Link.id(to).getBytes(StandardCharsets.US_ASCII));
        signature.update(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
        signature.update(bytes, offset, length);
    }
}
