package io.phaseload.cluster.network;

import java.security.cert.X509Certificate;

/** A member's function in a cluster, which its certificate names. */
enum Role {
    COORDINATOR("coordinator"),
    AGENT("agent"),
    NODE("node");

    private final String alias;

    Role(String alias) {
        this.alias = alias;
    }

    /** The name of its key in a store. */
    String alias() {
        return alias;
    }

    String subject() {
        return "CN=phaseload " + alias;
    }

    boolean isOf(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName().equals(subject());
    }
}
