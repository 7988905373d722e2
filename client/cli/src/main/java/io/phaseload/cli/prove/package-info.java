/** {@code phaseload prove}: the client checks itself on this machine, or a stored run against a log. */
package io.phaseload.cli.prove;
