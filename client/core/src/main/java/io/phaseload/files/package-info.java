/**
 * How files are written whole, and tables as text: beside the way, for all that keep a run. No
 * state; a file that is being written belongs to the thread that writes it.
 */
package io.phaseload.files;
