/** As whoever uses the library and event loops in a module of their own. */
module example.load {
    requires io.phaseload.core;
    requires io.phaseload.events;
    requires jdk.httpserver;
}
