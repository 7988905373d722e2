/**
 * Options as text: from a command line, or from system properties of the same names.
 *
 * <p>Shared by everything that is started from a shell: the target's own main class and the
 * client's command line. It lives beside the server because the client depends on the server, and
 * not the other way round. A command declares its options as an args4j bean; {@link
 * io.phaseload.options.OptionParser} fills it in; {@link io.phaseload.options.Quantities} says what
 * {@code 10k} or {@code 250ms} mean.
 */
package io.phaseload.options;
