/**
 * The settings that people write, with their origins. Comes before the first step of the way. Immutable.
 *
 * <p>{@link io.phaseload.settings.Setting} is longer than other classes: it is the one list of all settings.
 */
@NullMarked
package io.phaseload.settings;

import org.jspecify.annotations.NullMarked;
