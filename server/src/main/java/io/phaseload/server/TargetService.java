package io.phaseload.server;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * What the target does, apart from how requests reach it. Safe for use by any number of threads.
 *
 * <p>Bodies are checked for their length by whoever reads them, since only there can the reading
 * stop in time.
 */
public final class TargetService {

    private static final Answer ALIVE = Answer.text(200, "alive");

    private final ItemStore items;

    /**
     * Makes a service with an empty store.
     *
     * @param maxItems how many items the store holds
     */
    public TargetService(int maxItems) {
        this.items = new ItemStore(maxItems);
    }

    /**
     * Says that the target is up.
     *
     * @return 200, {@code alive}
     */
    public Answer alive() {
        return ALIVE;
    }

    /**
     * Counts the characters of a text: its Unicode code points, so that an emoji is one character
     * in every language a target may be written in.
     *
     * @param utf8 the text
     * @return 200 and the decimal number; 400 if the text is empty or isn't UTF-8
     */
    public Answer length(byte[] utf8) {
        if (utf8.length == 0) {
            return Answer.error(400, "the body is empty, expected a text");
        }
        try {
            return Answer.text(200, Integer.toString(codePoints(utf8)));
        } catch (CharacterCodingException e) {
            return Answer.error(400, "the body isn't UTF-8");
        }
    }

    /**
     * Stores an item.
     *
     * @param key its key, 1 to 256 characters
     * @param contentType its type, at most 256 characters, or null
     * @param body its bytes
     * @return 201 if it is new, 204 if it replaced another one, 400 if the key or type is too long,
     *     507 if the store is full
     */
    public Answer putItem(String key, String contentType, byte[] body) {
        return items.put(key, contentType, body);
    }

    /**
     * Looks an item up.
     *
     * @param key its key
     * @return 200 and the item, as it was stored; 404 if there is none
     */
    public Answer getItem(String key) {
        return items.get(key);
    }

    /**
     * Removes an item.
     *
     * @param key its key
     * @return 204, or 404 if there is none
     */
    public Answer deleteItem(String key) {
        return items.delete(key);
    }

    private static int codePoints(byte[] utf8) throws CharacterCodingException {
        for (byte b : utf8) {
            if (b < 0) {
                // Unlike new String(…), a new decoder refuses what isn't UTF-8.
                String text =
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .decode(ByteBuffer.wrap(utf8))
                                .toString();
                return text.codePointCount(0, text.length());
            }
        }
        return utf8.length;
    }
}
