/**
 * How what people write is read and checked: before the first step of the way. Pure functions, but
 * for {@link io.phaseload.input.Cursor}, which one thread uses.
 */
package io.phaseload.input;
