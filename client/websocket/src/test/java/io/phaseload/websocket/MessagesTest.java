package io.phaseload.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.phaseload.journey.ValueFinder;
import io.phaseload.plan.journey.Extraction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessagesTest {

    private static final int SIZE = 64;
    private static final byte[] NONE = {};

    private final Messages messages = new Messages(SIZE, NONE, Optional.empty());

    @Test
    void aMessageSaysWhatItIsAndIsAsLongAsAskedFor() {
        ByteBuf written = write(new Messages.Head(7, 0xabcL, 123_456_789_012_345L));

        assertThat(written.toString(StandardCharsets.US_ASCII))
                .isEqualTo("0000000000000007 0000000000000abc 00007048860ddf79 " + "x".repeat(13));
    }

    @Test
    void whatIsWrittenIsReadWithoutMovingTheReader() {
        Messages.Head head = new Messages.Head(3, 4, -5);
        ByteBuf behindOthers = Unpooled.wrappedBuffer(new byte[] {1, 2}, array(write(head)));
        behindOthers.skipBytes(2);

        assertThat(read(messages, behindOthers)).containsExactly(head);
        assertThat(behindOthers.readableBytes()).isEqualTo(SIZE);
    }

    @Test
    void aMessageDoesNotChangeWhenTheNextIsWritten() {
        ByteBuf first = write(new Messages.Head(1, 1, 1));
        write(new Messages.Head(2, 2, 2));

        assertThat(read(messages, first)).containsExactly(new Messages.Head(1, 1, 1));
    }

    @Test
    void othersMessagesAreNoneOfOurs() {
        String ours = text(new Messages.Head(1, 2, 3));

        assertThat(read(messages, ours.substring(0, 50))).isEmpty();
        assertThat(read(messages, ours.replaceFirst("0", "g"))).isEmpty();
        assertThat(read(messages, ours.replaceFirst(" ", "0"))).isEmpty();
        assertThat(read(messages, ours.replace('0', '\u00e9'))).isEmpty();
    }

    @Test
    void eachPayloadOfAMessageIsFoundAnywhere() {
        Messages.Head one = new Messages.Head(1, 2, 3);
        Messages.Head two = new Messages.Head(4, 5, 6);

        assertThat(read(messages, "a b " + text(one) + "\u00e9 c" + text(two))).containsExactly(one, two);
        assertThat(read(messages, text(one).substring(0, 51) + text(two).substring(0, 51)))
                .containsExactly(one, two);
    }

    @Test
    void onlyPayloadsBehindATextAreFoundIfThereIsOne() {
        Messages.Head one = new Messages.Head(1, 2, 3);
        Messages.Head two = new Messages.Head(4, 5, 6);
        Messages behind = new Messages(SIZE, "\"d\":\"".getBytes(StandardCharsets.UTF_8), Optional.empty());

        assertThat(read(behind, "\"d\":\"d\":\"" + text(one) + "\"}\n\"d\":\"" + text(two)))
                .containsExactly(one, two);
        assertThat(read(behind, "\"ack\":\"" + text(one) + "\",\"d\":\"\"}")).isEmpty();
    }

    @Test
    void payloadsAreFoundByAnExpression() {
        Messages.Head one = new Messages.Head(1, 2, 3);
        Messages.Head two = new Messages.Head(4, 5, 6);
        ValueFinder finder = new ValueFinder(Extraction.of("found", "json:/*/data"));
        Messages json = new Messages(SIZE, NONE, Optional.of(finder));

        String both = "[{\"data\":\"%s\"},{\"data\":\"short\"},{\"data\":\"%s\"}]".formatted(text(one), text(two));
        assertThat(read(json, both)).containsExactly(one, two);
    }

    private static List<Messages.Head> read(Messages messages, String text) {
        return read(messages, Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    private static List<Messages.Head> read(Messages messages, ByteBuf message) {
        List<Messages.Head> found = new ArrayList<>();
        assertThat(messages.read(message, found::add)).isEqualTo(!found.isEmpty());
        return found;
    }

    private String text(Messages.Head head) {
        return write(head).toString(StandardCharsets.US_ASCII);
    }

    private ByteBuf write(Messages.Head head) {
        return messages.write(UnpooledByteBufAllocator.DEFAULT, NONE, head, NONE);
    }

    private static byte[] array(ByteBuf bytes) {
        byte[] array = new byte[bytes.readableBytes()];
        bytes.getBytes(bytes.readerIndex(), array);
        return array;
    }
}
