package io.phaseload.service;

/**
 * A target's limits.
 *
 * @param bodyBytes the longest text to post, in bytes
 * @param items the number of items that the store holds
 * @param itemBytes the longest item, in bytes
 */
public record ServiceLimits(int bodyBytes, int items, int itemBytes) {

    /** 1 MiB of text; 10,000 items of 16 KiB. */
    public static final ServiceLimits DEFAULTS = new ServiceLimits(1 << 20, 10_000, 16 << 10);
}
