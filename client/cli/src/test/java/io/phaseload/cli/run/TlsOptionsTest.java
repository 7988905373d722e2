package io.phaseload.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.phaseload.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with certificates and keys; how they work is in the library's tests. */
class TlsOptionsTest {

    private static final String URL = "https://127.0.0.1:9/";

    @TempDir
    private Path folder;

    private static void assertSaid(String line, Object... options) {
        Object[] all = new Object[options.length + 1];
        all[0] = "plan";
        System.arraycopy(options, 0, all, 1, options.length);
        Cli plan = Cli.run(all);
        assertThat(plan).isEqualTo(new Cli(2, "", line + System.lineSeparator()));
    }

    private Path key() throws Exception {
        byte[] key = KeyPairGenerator.getInstance("EC")
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        return Files.writeString(
                folder.resolve("key.pem"),
                "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                        .formatted(Base64.getMimeEncoder().encodeToString(key)));
    }

    @Test
    void aFileThatIsMissingOrSomethingElseIsNamed() throws Exception {
        Path none = folder.resolve("none.pem");
        Path key = key();
        for (String option : new String[] {"--cacert", "--cert"}) {
            assertSaid(option + " " + none + ": expected a PEM file with certificates", "--url", URL, option, none);
            assertSaid(
                    option + " " + key + ": expected certificates in PEM (BEGIN CERTIFICATE)",
                    "--url",
                    URL,
                    option,
                    key);
        }
    }

    @Test
    void optionsThatCannotBeCombinedAreRefused() throws Exception {
        Path key = key();
        assertSaid("--key " + key + " needs --cert", "--url", URL, "--key", key);
        assertSaid("--cacert ca.pem cannot be combined with --insecure", "--url", URL, "--cacert", "ca.pem", "-k");
        assertSaid(
                "--cert c.pem needs an address that begins with https://, wss:// or mqtts://",
                "--url",
                "http://127.0.0.1:9/",
                "--cert",
                "c.pem");
    }

    @Test
    void aPlansFileIsNamedWithItsLine() throws Exception {
        Path plan = Files.writeString(folder.resolve("p.yaml"), "target:\n  url: " + URL + "\n  cert: no.pem\n");
        assertSaid(
                "--plan " + plan + ": line 3: target.cert no.pem: expected a PEM file with certificates",
                "--plan",
                plan);
    }
}
