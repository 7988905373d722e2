/**
 * Reads and checks what people write. Comes before the first step of the way. Pure functions, except for
 * {@link io.phaseload.input.Cursor}, which one thread uses.
 */
package io.phaseload.input;
