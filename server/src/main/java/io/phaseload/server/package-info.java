/**
 * The Tomcat target: a small HTTP service to send load to, which counts requests.
 *
 * <p>{@link io.phaseload.server.TargetServer} runs it inside the caller's JVM, {@link io.phaseload.server.ServerMain}
 * from a shell, and the module's WAR runs on any Tomcat. All three register the same servlets through
 * {@link io.phaseload.server.TargetInitializer}:
 *
 * <table>
 * <caption>Requests and answers</caption>
 * <tr><th>request</th><th>answer</th></tr>
 * <tr><td>{@code /}, {@code /items/{key}}</td><td>what every target offers, see {@link
 * io.phaseload.service.TargetService}</td></tr>
 * <tr><td>{@code GET /delay?ms=N}</td><td>200 after N milliseconds</td></tr>
 * <tr><td>{@code GET /status/{code}}</td><td>that status</td></tr>
 * <tr><td>{@code GET /bytes/{n}}</td><td>n bytes, always the same</td></tr>
 * <tr><td>{@code /rooms/{id}}</td><td>WebSocket, see {@link io.phaseload.server.rooms}</td></tr>
 * <tr><td>{@code GET /metrics.json}</td><td>what the server counted and measured</td></tr>
 * <tr><td>{@code GET /metrics}</td><td>the same and more, as Prometheus text</td></tr>
 * </table>
 *
 * <p>Where {@code GET} is answered, {@code HEAD} is too. An error is JSON, {@code {"error": "…"}}, whatever caused it.
 */
package io.phaseload.server;
