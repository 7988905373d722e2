/** How much a server may send: the limits that keep a broken or hostile server from holding a run. */
package io.phaseload.http.limit;
