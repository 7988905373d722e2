/**
 * The files that a plan names, from the coordinator to its agents: in pieces, with a checksum. An agent opens no file
 * of its own because a plan names it.
 */
package io.phaseload.cluster.files;
