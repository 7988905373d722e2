/**
 * Folders and files by the names that users give: results folders to write and to read, the files of options such as
 * {@code --html}, and what commands print beside them. As far as possible, everything that can fail is checked before a
 * command starts its work.
 *
 * <p>Built on what is common to commands and on the terminal; commands are built on it. For one thread.
 */
package io.phaseload.cli.folders;
