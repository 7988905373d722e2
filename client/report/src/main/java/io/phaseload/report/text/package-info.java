/**
 * A run as text for a terminal and as Markdown for a pull request. All classes are stateless; what they write is the
 * same in every locale.
 */
package io.phaseload.report.text;
