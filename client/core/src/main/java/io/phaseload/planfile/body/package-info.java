/** Bodies that a plan's file has as JSON, as a form or as parts, in place of a text. */
@NullMarked
package io.phaseload.planfile.body;

import org.jspecify.annotations.NullMarked;
