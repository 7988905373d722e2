/**
 * Writes files atomically, for their user alone, and tables as CSV. Beside the way, for all packages that store a run.
 * Stateless; a file belongs to the thread that writes it.
 */
package io.phaseload.files;
