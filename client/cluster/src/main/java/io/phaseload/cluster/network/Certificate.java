package io.phaseload.cluster.network;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.security.auth.x500.X500Principal;

/**
 * Writes an X.509 certificate (RFC 5280), which the JDK can only read. It is valid at any time, since machines of a
 * cluster needn't agree on the time of day.
 *
 * @param issuer the name of the key that signs
 * @param subject the name of the certified key
 * @param key the certified key
 * @param isAuthority true if the certified key may sign others
 */
record Certificate(String issuer, String subject, PublicKey key, boolean isAuthority) {

    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;

    /** Of the certificate's body, by its tag. */
    private static final int VERSION = 0xa0;

    private static final int EXTENSIONS = 0xa3;

    private static final byte[] VERSION_3 = {INTEGER, 1, 2};

    /** The object identifier 1.3.101.112. */
    private static final byte[] ED25519 = {0x06, 3, 0x2b, 0x65, 0x70};

    /** Basic constraints (2.5.29.19), critical, of an authority. */
    private static final byte[] AUTHORITY = {
        0x30, 0x0f, 0x06, 3, 0x55, 0x1d, 0x13, 0x01, 1, -1, 0x04, 5, 0x30, 3, 0x01, 1, -1
    };

    /**
     * The certificate.
     *
     * @param by the issuer's Ed25519 key
     */
    X509Certificate signed(PrivateKey by) throws GeneralSecurityException {
        byte[] algorithm = der(SEQUENCE, ED25519);
        byte[] body = der(
                SEQUENCE,
                der(VERSION, VERSION_3),
                der(INTEGER, BigInteger.ONE.toByteArray()),
                algorithm,
                new X500Principal(issuer).getEncoded(),
                der(SEQUENCE, text(UTC_TIME, "000101"), text(GENERALIZED_TIME, "99991231")),
                new X500Principal(subject).getEncoded(),
                key.getEncoded(),
                isAuthority ? der(EXTENSIONS, der(SEQUENCE, AUTHORITY)) : new byte[0]);
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(by);
        signature.update(body);
        byte[] all = der(SEQUENCE, body, algorithm, der(BIT_STRING, new byte[1], signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(all));
    }

    private static byte[] text(int tag, String day) {
        return der(tag, (day + "000000Z").getBytes(StandardCharsets.US_ASCII));
    }

    /** A value of the Distinguished Encoding Rules: tag, length, content. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        byte[] length = BigInteger.valueOf(content.size()).toByteArray();
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(tag);
        // The sign isn't part of a length. From 128, the number of its bytes comes first.
        int skip = length.length > 1 && length[0] == 0 ? 1 : 0;
        if (content.size() > Byte.MAX_VALUE) {
            value.write(0x80 | length.length - skip);
        }
        value.write(length, skip, length.length - skip);
        value.writeBytes(content.toByteArray());
        return value.toByteArray();
    }
}
