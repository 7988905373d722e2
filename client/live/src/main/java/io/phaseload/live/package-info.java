/** A run while it goes on: each second as JSON. */
@NullMarked
package io.phaseload.live;

import org.jspecify.annotations.NullMarked;
