package io.phaseload.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkFilesTest {

    private static final PortRange RANGE = new PortRange(32_768, 60_999);

    @Test
    void tcpCountersHaveTheKernelsNames() {
        TcpCounters tcp = TcpCounters.parse(Captured.text("snmp"), Captured.text("netstat"));

        assertThat(tcp.values())
                .containsEntry("ActiveOpens", 913_345L)
                .containsEntry("AttemptFails", 208_052L)
                .containsEntry("EstabResets", 195_204L)
                .containsEntry("OutSegs", 101_225_586L)
                .containsEntry("RetransSegs", 50_241L)
                .containsEntry("OutRsts", 385_346L)
                .containsEntry("TCPSynRetrans", 1_573L)
                .containsEntry("TCPTimeouts", 2_669L)
                .containsEntry("ListenOverflows", 2_547L)
                .containsEntry("ListenDrops", 2_547L)
                .containsEntry("TCPBacklogDrop", 0L)
                // Of other protocols' lines, and below zero.
                .doesNotContainKeys("InReceives", "InOctets", "MaxConn");
    }

    @Test
    void oldKernelsHaveFewerCounters() {
        TcpCounters tcp = TcpCounters.parse("Tcp: RtoMin OutSegs\nTcp: 200 7\n", "");

        assertThat(tcp.get("OutSegs")).contains(7L);
        assertThat(tcp.get("RetransSegs")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Tcp: OutSegs",
                "Tcp: OutSegs\n",
                "Tcp: OutSegs\nTcp: x\n",
                "Tcp: OutSegs\nTcp: \n",
                "Tcp: OutSegs\nTcpExt: 1\n",
                "1\n2\n"
            })
    void countersOfAnotherFormSayNothing(String text) {
        assertThat(TcpCounters.parse(text).values()).isEmpty();
    }

    @Test
    void namesAreThoseOfTheLineBefore() {
        TcpCounters tcp = TcpCounters.parse("Tcp: a b c\nTcp: 1 2\nTcpExt: d e\nTcpExt: 3 4 5\n");

        assertThat(tcp.values()).isEqualTo(Map.of("a", 1L, "b", 2L, "d", 3L, "e", 4L));
    }

    @Test
    void socketsAreCountedByStateAndTheirPortsOnce() {
        Sockets sockets = Sockets.parse(RANGE, Captured.text("tcp"), Captured.text("tcp6"));

        assertThat(sockets.byState())
                .isEqualTo(Map.of(
                        SocketState.LISTEN, 2,
                        SocketState.ESTABLISHED, 7,
                        SocketState.TIME_WAIT, 3,
                        SocketState.CLOSE_WAIT, 1,
                        SocketState.FIN_WAIT_2, 1));
        // Both ends of the connections are here; several have one port of a server.
        assertThat(sockets.ports()).isEqualTo(9);
        assertThat(sockets.in(SocketState.LISTEN, SocketState.TIME_WAIT, SocketState.CLOSING))
                .isEqualTo(5);
    }

    @Test
    void aClientsLargeRequestIsSeenUntilItIsAcknowledged() {
        String listens = " 0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00\n";
        String client = " 1: 0100007F:C350 0100007F:1F90 01 %08X:00000000 00\n";
        String server = " 2: 0100007F:1F90 0100007F:C350 01 00100000:00000000 00\n";

        assertThat(Sockets.parse(RANGE, "sl\n" + listens + client.formatted(16_384) + server)
                        .sending())
                .isEqualTo(1);
        assertThat(Sockets.parse(RANGE, "sl\n" + listens + client.formatted(16_383) + server)
                        .sending())
                .isZero();
    }

    @Test
    void portsOutsideOfTheRangeDontCount() {
        PortRange narrow = new PortRange(0xDB46, 0xDB4A);

        assertThat(Sockets.parse(narrow, Captured.text("tcp")).ports()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sl local_address",
                "sl\n\n\n",
                "sl\n 0: 0100007F",
                "sl\n 0: 0100007F:E3C3 0100007F:DB46",
                "sl\n 0: 0100007F:E3C3 0100007F:DB46 0",
                "sl\n 0: 0100007F:E3C3 0100007F:DB46 00 x",
                "sl\n 0: 0100007F:E3C3 0100007F:DB46 FF x",
                "sl\n 0: 0100007F:XXXX 0100007F:DB46 01 x",
                "sl\n 0\n:\n:\n:01\n",
            })
    void socketsOfAnotherFormAreLeftOut(String text) {
        assertThat(Sockets.parse(RANGE, text)).isEqualTo(new Sockets(Map.of(), 0, Map.of(), 0));
    }

    @Test
    void sockstatTellsWhatIsInTimeWait() {
        assertThat(Sockstat.timeWait(Captured.text("sockstat"))).contains(836L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "TCP:", "TCP: inuse 3", "TCP: tw", "TCP: tw x", "TCP6: tw 3"})
    void sockstatOfAnotherFormSaysNothing(String text) {
        assertThat(Sockstat.timeWait(text)).isEmpty();
    }

    @Test
    void aPortRangeIsTwoPorts() {
        PortRange range = PortRange.parse("32768\t60999\n").orElseThrow();

        assertThat(range).isEqualTo(RANGE);
        assertThat(range.size()).isEqualTo(28_232);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "32768", "2 1", "1 65536", "-1 3", "a b"})
    void aPortRangeOfAnotherFormIsNone(String text) {
        assertThat(PortRange.parse(text)).isEmpty();
    }

    @Test
    void trafficIsThatOfEachInterface() {
        assertThat(Traffic.parse(Captured.text("dev")))
                .containsOnlyKeys("lo", "ifb0", "ifb1", "eth0")
                .containsEntry("eth0", new Traffic(1_151_588_574L, 4_081_923L, 0));
    }

    @Test
    void lostPacketsAreErrorsAndDropsBothWays() {
        assertThat(Traffic.parse("eth0:1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"))
                .isEqualTo(Map.of("eth0", new Traffic(1, 9, 3 + 4 + 11 + 12)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Inter-| Receive\n face |bytes\n", "eth0:", "eth0: 1 2 3", ": 1 2 3 4"})
    void trafficOfAnotherFormIsLeftOut(String text) {
        assertThat(Traffic.parse(text)).isEmpty();
    }

    /** In hex; the columns behind these differ between kernels. */
    @Test
    void softnetAddsUpTheCpus() {
        assertThat(Softnet.parse(Captured.text("softnet_stat"))).contains(new Softnet(0, 0x1f + 0x24));
        assertThat(Softnet.parse("00000001 0000000a 00000002\n00000001 00000001 00000010\n"))
                .contains(new Softnet(11, 18));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1 2", "1 x 3", "\n"})
    void softnetOfAnotherFormSaysNothing(String text) {
        assertThat(Softnet.parse(text)).isEqualTo(Optional.empty());
    }

    /** 0x1F90 is 8080; a server may listen on both families. */
    @Test
    void connectionsThatNobodyHasAcceptedWaitInAQueue() {
        String line = "\n 0: 00000000:1F90 00000000:0000 0A 00000000:0000000A 00:00000000 0 0\n";

        assertThat(Sockets.parse(RANGE, line, line).acceptQueues()).isEqualTo(Map.of(8_080, 20));
        assertThat(Sockets.parse(RANGE, line.replace("0A 0", "01 0")).acceptQueues())
                .isEmpty();
        assertThat(Sockets.parse(RANGE, "\n 0: 00000000:1F90 00000000:0000 0A\n")
                        .acceptQueues())
                .isEmpty();
    }
}
