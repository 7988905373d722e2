/**
 * The messages between coordinator and agents: JSON documents, histograms in HdrHistogram's own encoding, and never
 * Java's serialization. {@link io.phaseload.cluster.wire.MessageForm} refuses whatever isn't a
 * {@link io.phaseload.cluster.wire.Message}. Pure and immutable.
 *
 * <p>On the way it comes before the package above, which sends them.
 */
package io.phaseload.cluster.wire;
