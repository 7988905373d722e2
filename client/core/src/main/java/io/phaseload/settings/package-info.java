/**
 * The settings that people write, with their origins. Comes before the first step of the way.
 * Immutable.
 */
@NullMarked
package io.phaseload.settings;

import org.jspecify.annotations.NullMarked;
