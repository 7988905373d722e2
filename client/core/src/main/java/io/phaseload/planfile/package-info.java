/**
 * The plan as people write it and as results keep it: makes a plan of {@code settings}, and documents of a plan. Each
 * {@code …Form} reads and writes one part of it.
 */
@NullMarked
package io.phaseload.planfile;

import org.jspecify.annotations.NullMarked;
