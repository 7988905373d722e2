/**
 * Figures of a process and its machine, which the client and the server's target read, and files that the client writes
 * there. Its packages may change in any version.
 */
module io.phaseload.host {
    requires jdk.management;

    exports io.phaseload.files;
    exports io.phaseload.host;
    exports io.phaseload.host.linux;
}
