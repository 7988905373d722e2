/**
 * Users of the thread engine send with Apache HttpClient 5 (classic), so that a run sees a service as an application
 * does: over a pool of connections that users share, for which they wait.
 *
 * <p>A {@link io.phaseload.httpclient.PooledClient} is shared by all users and thread-safe. All else belongs to one
 * user and its thread: HttpClient runs a request on the thread that asks for it, so that what its hooks see is noted in
 * that thread's {@link io.phaseload.httpclient.ExchangeMeter}. Only {@link io.phaseload.http.Deadlines} cancels
 * requests from outside.
 *
 * <p>Its rules for cookies, redirects and challenges are also those of sessions that our own clients send the requests
 * of: a {@link io.phaseload.httpclient.SessionAgent} belongs to one of their users.
 *
 * <p>It stands beside {@code io.phaseload.http.client}'s own; only {@link java.util.ServiceLoader} knows it. Reading
 * order: {@link io.phaseload.httpclient.HttpClientProvider}, {@link io.phaseload.httpclient.PooledClient},
 * {@link io.phaseload.httpclient.HttpSender}, {@link io.phaseload.httpclient.MeteredRuntime}.
 */
package io.phaseload.httpclient;
