import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/** A broker that speaks STOMP over WebSocket on a port. */
public final class Broker {

    private Broker() {}

    public static void main(String... arguments) throws Exception {
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
        broker.setConfiguration(new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .setJMXManagementEnabled(false)
                .addAcceptorConfiguration("ws", "tcp://127.0.0.1:" + arguments[0] + "?protocols=STOMP"));
        broker.start();
        System.out.println("ready");
    }
}
