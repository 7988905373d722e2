/**
 * The cost of encoding and parsing a request: JMH's benchmarks, whose threads are JMH's own. Beside the way, in the
 * profile jmh alone.
 */
package io.phaseload.http;
