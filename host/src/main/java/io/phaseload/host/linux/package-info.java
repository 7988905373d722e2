/**
 * Parsers of the text files in which Linux tells of processes, CPUs, control groups and the network: a record or a
 * number for each, made by a pure function of the file's text. What an older kernel doesn't have, and what makes no
 * sense, is left out; nothing is thrown. All is immutable.
 */
package io.phaseload.host.linux;
