/**
 * Writes files atomically, for their user alone, tables as CSV and documents as YAML, and explains why a file can't be
 * parsed. Beside the way, for all packages that store a run. Stateless; a file belongs to the thread that writes it.
 */
package io.phaseload.files;
