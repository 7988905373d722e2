/** What people write, as values with their origins: before the first step of the way. Immutable. */
@NullMarked
package io.phaseload.settings;

import org.jspecify.annotations.NullMarked;
