package io.phaseload.cluster.network;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jgroups.Message;
import org.jgroups.auth.AuthToken;

/**
 * Shows that a member knows the cluster's secret, without telling it: a random number, and a MAC of
 * it. JGroups makes it by reflection when it reads one. Thread-safe.
 */
public final class SecretToken extends AuthToken {

    private static final String MAC = "HmacSHA256";
    private static final int MAC_BYTES = 32;
    private static final int RANDOM_BYTES = 32;

    private final byte[] secret;
    private final byte[] random = new byte[RANDOM_BYTES];
    private byte[] mac = new byte[MAC_BYTES];
    private volatile boolean refused;

    /** One that is about to be read. */
    public SecretToken() {
        this.secret = new byte[0];
    }

    SecretToken(String secret) {
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
        new SecureRandom().nextBytes(random);
        this.mac = mac(random);
    }

    private byte[] mac(byte[] of) {
        try {
            Mac hash = Mac.getInstance(MAC);
            hash.init(new SecretKeySpec(secret, MAC));
            return hash.doFinal(of);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether somebody came with another secret. */
    boolean refused() {
        return refused;
    }

    @Override
    public String getName() {
        return getClass().getName();
    }

    @Override
    public boolean authenticate(AuthToken token, Message message) {
        boolean known =
                token instanceof SecretToken other
                        && MessageDigest.isEqual(mac(other.random), other.mac);
        refused |= !known;
        return known;
    }

    @Override
    public int size() {
        return RANDOM_BYTES + MAC_BYTES;
    }

    @Override
    public void writeTo(DataOutput out) throws IOException {
        out.write(random);
        out.write(mac);
    }

    @Override
    public void readFrom(DataInput in) throws IOException {
        in.readFully(random);
        in.readFully(mac);
    }
}
