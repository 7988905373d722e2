package io.phaseload.service;

/**
 * What a target puts up with.
 *
 * @param bodyBytes the longest text whose length is told, in bytes
 * @param items how many items the store holds
 * @param itemBytes the longest item, in bytes
 */
public record Limits(int bodyBytes, int items, int itemBytes) {

    /** 1 MiB of text; 10,000 items of 16 KiB. */
    public static final Limits DEFAULTS = new Limits(1 << 20, 10_000, 16 << 10);
}
