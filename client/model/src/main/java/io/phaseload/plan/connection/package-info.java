/** How connections reach a target: directly or through a proxy, with certificates and socket buffers. */
@NullMarked
package io.phaseload.plan.connection;

import org.jspecify.annotations.NullMarked;
