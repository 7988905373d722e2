/**
 * Writes files atomically and for their user alone, tables as CSV, and explains why a file couldn't be read or written.
 * For all packages that store a run. Stateless; a file belongs to the thread that writes it.
 */
package io.phaseload.files;
