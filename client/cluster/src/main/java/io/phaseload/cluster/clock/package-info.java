/**
 * The clocks of two machines: exchanges of four times, and the offset that they prove. Pure and
 * immutable; nothing here reads a clock.
 *
 * <p>On the way it comes first: messages carry what it is made of, and a coordinator starts phases
 * by it.
 */
package io.phaseload.cluster.clock;
