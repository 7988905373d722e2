/**
 * What people write, as values: before the first step of the way. Immutable, but for {@link
 * io.phaseload.settings.Cursor}, which one thread uses.
 */
package io.phaseload.settings;
