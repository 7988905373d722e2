/** A table, its columns and what is in its cells: what text, Markdown, pages and pictures are all written from. */
package io.phaseload.report.cells;
