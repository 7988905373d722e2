/**
 * The clocks of two machines: exchanges of four times, and the offset that they prove. Pure and immutable, but for
 * {@link io.phaseload.cluster.clock.WallClock} and {@link io.phaseload.cluster.clock.ChronyReader}, which read what
 * this machine has.
 *
 * <p>On the way it comes first: messages carry what it is made of, and a coordinator starts phases by it.
 */
package io.phaseload.cluster.clock;
