/** The client's and the servers' own figures in the phases of a result. */
@NullMarked
package io.phaseload.result.host;

import org.jspecify.annotations.NullMarked;
