/**
 * Parsers of the text files in which Linux tells of processes, CPUs, control groups and the network: a record or a
 * number for each, made by a pure function of the file's text. Values that an older kernel doesn't have, and invalid
 * values, are left out; nothing is thrown. All is immutable.
 */
package io.phaseload.host.linux;
