/** A run while it goes on, on other systems and as a stream. */
package io.phaseload.cli.watch;
