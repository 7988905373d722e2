/** A run while it goes on: a page in the browser, each second as JSON, each request as CSV. */
@NullMarked
package io.phaseload.live;

import org.jspecify.annotations.NullMarked;
