/** How a response that is a stream of events is read. */
@NullMarked
package io.phaseload.plan.stream;

import org.jspecify.annotations.NullMarked;
