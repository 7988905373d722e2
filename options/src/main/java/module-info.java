/** How the mains and the library read what people write. */
// args4j has no descriptor.
@SuppressWarnings("requires-automatic")
module io.phaseload.options {
    // Only what parses a command line needs it; the library doesn't.
    requires static args4j;

    exports io.phaseload.input;
    exports io.phaseload.options;
}
