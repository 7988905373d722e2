package io.phaseload.plan.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventStreamTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    events | events
                    openai | events content=/choices/0/delta/content,/choices/0/delta/reasoning_content,/choices/0/delta/reasoning,/choices/0/delta/refusal,/choices/0/delta/tool_calls/0/function/name,/choices/0/delta/tool_calls/0/function/arguments until=[DONE]
                    openai-responses until=end | events content=response.output_text.delta:/delta,response.reasoning_text.delta:/delta,response.reasoning_summary_text.delta:/delta,response.refusal.delta:/delta,response.output_item.added:/item/name,response.function_call_arguments.delta:/delta until=end
                    events content='a b:/c,d,/e,f/g' | events content='a b:/c,d,/e,f/g'
                    anthropic | events content=content_block_delta:/delta/text,content_block_delta:/delta/thinking,content_block_start:/content_block/name,content_block_delta:/delta/partial_json until=message_stop
                    openai content=/text until=end | events content=/text until=end
                    events count=2k for=1.5s sentAt=/at:us reconnect | events count=2000 for=1500ms sentAt=/at:us reconnect
                    events until='all done' event='it''s' | events event=it's until='all done'
                    events until='''x' | events until='''x'
                    events for=250us sentAt=/time | events for=250us sentAt=/time
                    """,
            quoteCharacter = '"')
    void isReadAndWritten(String text, String written) {
        EventStream stream = EventStream.parse(text);

        assertThat(stream).hasToString(written);
        assertThat(EventStream.parse(stream.toString())).isEqualTo(stream);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "openapi",
                "events count",
                "events count=0",
                "events count=1 count=2",
                "events content=text",
                "events sentAt=at:ms",
                "events until=",
                "events until='x",
                "events for=10",
                "events lines=3",
                "events reconnect",
                "events count=3 reconnect=maybe",
                "events, count=3"
            })
    void othersAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventStream.parse(text))
                .withMessageContaining("expected");
    }
}
