package io.phaseload.server.rooms;

/**
 * The counts of the rooms so far. A message that goes to three members is one received and three deliveries; each
 * delivery ends in one of the counts from {@code delivered} to {@code passed}. Figures that are read under load may be
 * from slightly different moments.
 *
 * @param connections open now
 * @param opened connections since the start
 * @param received messages that arrived
 * @param unheard of these, those for which nobody was in the room
 * @param delivered deliveries that were handed to the operating system
 * @param lost deliveries left out because the sender's query asked for it
 * @param repeated deliveries made a second time because it asked for that; they are in the others too
 * @param dropped deliveries given up because too many wait for a slow receiver
 * @param undelivered deliveries whose receiver had gone, or went before they were sent
 * @param passed messages given to the other nodes of a cluster, which are one receiver together: a delivery that ends
 *     here, and goes on there
 * @param heard messages that other nodes passed; each is as many deliveries as the room has members here
 * @param waiting deliveries that have not ended yet
 */
public record MessageCounts(
        long connections,
        long opened,
        long received,
        long unheard,
        long delivered,
        long lost,
        long repeated,
        long dropped,
        long undelivered,
        long passed,
        long heard,
        long waiting) {}
