package io.phaseload.cli;

import io.phaseload.http.tls.TlsMaterial;
import io.phaseload.options.UsageException;
import io.phaseload.plan.TlsFiles;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** {@code --cacert}, {@code --cert} and {@code --key}, whose files are read once before the run. */
record TlsOptions(RunOptions options) {

    TlsFiles files(URI uri) throws UsageException {
        Optional<Path> authorities = path("--cacert", options.cacert);
        Optional<Path> certificate = path("--cert", options.cert);
        Optional<Path> key = path("--key", options.key);
        if (key.isPresent() && certificate.isEmpty()) {
            throw new UsageException("--key " + options.key + ": expected --cert beside it");
        }
        if (authorities.isPresent() && options.insecure) {
            throw new UsageException(
                    "--cacert " + options.cacert + ": expected no --insecure beside it");
        }
        String first =
                authorities.isPresent() ? "--cacert " + options.cacert : "--cert " + options.cert;
        if ((authorities.isPresent() || certificate.isPresent())
                && !"https".equalsIgnoreCase(uri.getScheme())) {
            throw new UsageException(first + ": expected an address that begins with https://");
        }
        TlsFiles files = new TlsFiles(authorities, certificate, key);
        check("--cacert", new TlsFiles(authorities, Optional.empty(), Optional.empty()));
        check(
                key.isPresent() ? "--key" : "--cert",
                new TlsFiles(Optional.empty(), certificate, key));
        return files;
    }

    private static Optional<Path> path(String option, String file) throws UsageException {
        return file == null
                ? Optional.empty()
                : Optional.of(Checked.value(option, file, Path::of, "a file"));
    }

    private static void check(String option, TlsFiles files) throws UsageException {
        try {
            TlsMaterial.read(files);
        } catch (IllegalArgumentException e) {
            // Its message begins with the file, in quotes: the certificate's or the key's.
            throw new UsageException(
                    (names(files.certificate(), e) ? "--cert" : option)
                            + " "
                            + e.getMessage().replaceFirst("^'(.*)': expected", "$1: expected"));
        }
    }

    private static boolean names(Optional<Path> file, IllegalArgumentException failure) {
        return file.isPresent() && failure.getMessage().startsWith("'" + file.get() + "'");
    }
}
