/** The cost of an arrival: JMH's benchmarks, whose threads are JMH's own. Beside the way, in the profile jmh alone. */
package io.phaseload.schedule;
