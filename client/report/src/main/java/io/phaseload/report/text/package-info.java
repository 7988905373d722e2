/**
 * A run, a sweep or a comparison as text for a terminal and as Markdown for a pull request. All classes are stateless
 * or used by one thread; what they write is the same in every locale.
 */
package io.phaseload.report.text;
