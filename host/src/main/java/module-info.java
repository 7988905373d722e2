/**
 * Figures of a process and its machine. The client and the server's target use it; its packages may change in any
 * version.
 */
module io.phaseload.host {
    requires jdk.management;

    exports io.phaseload.host;
    exports io.phaseload.host.linux;
}
