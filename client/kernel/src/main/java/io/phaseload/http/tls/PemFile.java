package io.phaseload.http.tls;

import io.phaseload.options.ValueException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys in PEM (RFC 7468), as other tools write them. */
final class PemFile {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    private static final String KEY = "a private key in PEM (BEGIN PRIVATE KEY)";

    private record PemBlock(String label, String content) {

        byte[] bytes() {
            return Base64.getMimeDecoder().decode(content.strip());
        }
    }

    private PemFile() {}

    /**
     * Reads the certificates in a file; anything else in it is ignored.
     *
     * @throws IllegalArgumentException if it can't be read, or has none
     */
    static List<X509Certificate> certificates(Path file) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (PemBlock block : blocks(file, "a PEM file with certificates")) {
            if (block.label().equals("CERTIFICATE")) {
                certificates.add(certificate(file, block));
            }
        }
        if (certificates.isEmpty()) {
            throw expected(file, "certificates in PEM (BEGIN CERTIFICATE)");
        }
        return List.copyOf(certificates);
    }

    private static X509Certificate certificate(Path file, PemBlock block) {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(block.bytes()));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw expected(file, "certificates in PEM; one of them is damaged");
        }
    }

    /**
     * Reads the private key of a certificate.
     *
     * @throws IllegalArgumentException if it can't be read, is encrypted, or belongs to another certificate
     */
    static PrivateKey key(Path file, X509Certificate of) {
        for (PemBlock block : blocks(file, "a file with " + KEY)) {
            switch (block.label()) {
                case "PRIVATE KEY" -> {
                    return key(file, block, of);
                }
                case "ENCRYPTED PRIVATE KEY" -> throw encrypted(file);
                case "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY" -> {
                    if (block.content().contains("ENCRYPTED")) {
                        throw encrypted(file);
                    }
                    throw expected(file, KEY + "; openssl pkcs8 -topk8 -nodes -in FILE converts this one");
                }
                default -> {
                    // A certificate, or parameters.
                }
            }
        }
        throw expected(file, KEY);
    }

    private static PrivateKey key(Path file, PemBlock block, X509Certificate of) {
        PublicKey other = of.getPublicKey();
        PrivateKey key;
        try {
            key = KeyFactory.getInstance(other.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(block.bytes()));
            if (belong(key, other)) {
                return key;
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // Reported below, like a key of another kind.
        }
        throw expected(file, "the key of the certificate");
    }

    /** A signature by the key must verify with the certificate. */
    private static boolean belong(PrivateKey key, PublicKey other) throws GeneralSecurityException {
        String algorithm =
                switch (other.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> other.getAlgorithm();
                };
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update((byte) 1);
        byte[] signed = signature.sign();
        signature.initVerify(other);
        signature.update((byte) 1);
        return signature.verify(signed);
    }

    private static List<PemBlock> blocks(Path file, String what) {
        // Regular files only: a pipe could be read just once, but the file is read for the check
        // and again for the run.
        if (!Files.isRegularFile(file)) {
            throw expected(file, what);
        }
        try {
            String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            List<PemBlock> blocks = new ArrayList<>();
            Matcher matcher = BLOCK.matcher(text);
            while (matcher.find()) {
                blocks.add(new PemBlock(matcher.group(1), matcher.group(2)));
            }
            return blocks;
        } catch (IOException e) {
            throw expected(file, what + " that can be read");
        }
    }

    private static IllegalArgumentException encrypted(Path file) {
        return expected(file, "a key that isn't encrypted; openssl pkcs8 -topk8 -nodes -in FILE decrypts it");
    }

    private static IllegalArgumentException expected(Path file, String what) {
        return new ValueException("'" + file + "'", what);
    }
}
