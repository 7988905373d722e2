/**
 * MQTT 3.1.1 on a Netty channel, over TCP or in a WebSocket: {@link io.phaseload.websocket.mqtt.MqttSession} is one
 * connection of a pair.
 */
package io.phaseload.websocket.mqtt;
