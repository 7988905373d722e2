/** A REST interface in front of Apache Cassandra, for the published tests of a database cluster. */
package io.phaseload.originals.cassandra;
