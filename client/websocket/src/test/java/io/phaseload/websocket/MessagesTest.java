package io.phaseload.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MessagesTest {

    private static final int SIZE = 64;

    private final Messages messages = new Messages(SIZE);

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

        assertThat(messages.read(behindOthers)).isEqualTo(head);
        assertThat(behindOthers.readableBytes()).isEqualTo(SIZE);
    }

    @Test
    void aMessageDoesNotChangeWhenTheNextIsWritten() {
        ByteBuf first = write(new Messages.Head(1, 1, 1));
        write(new Messages.Head(2, 2, 2));

        assertThat(messages.read(first)).isEqualTo(new Messages.Head(1, 1, 1));
    }

    @Test
    void othersMessagesAreNoneOfOurs() {
        String ours = write(new Messages.Head(1, 2, 3)).toString(StandardCharsets.US_ASCII);

        assertThat(read(ours.substring(0, 50))).isNull();
        assertThat(read(ours.replaceFirst("0", "g"))).isNull();
        assertThat(read(ours.replaceFirst(" ", "0"))).isNull();
        assertThat(read(ours.replace('0', '\u00e9'))).isNull();
    }

    private ByteBuf write(Messages.Head head) {
        return messages.write(UnpooledByteBufAllocator.DEFAULT, head);
    }

    private Messages.Head read(String text) {
        return messages.read(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    private static byte[] array(ByteBuf bytes) {
        byte[] array = new byte[bytes.readableBytes()];
        bytes.getBytes(bytes.readerIndex(), array);
        return array;
    }
}
