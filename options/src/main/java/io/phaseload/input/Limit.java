package io.phaseload.input;

/** The least and the most of a plan's whole numbers, each by its key in a plan. */
public enum Limit {
    /** Users at the peak. */
    THREADS("threads", 1, 1_000_000),
    /** Iterations of each user in a phase. */
    ITERATIONS("iterations", 1, 1_000_000_000),
    /** Requests of all users in a phase. */
    TOTAL("total", 1, 1_000_000_000),
    /** How often an operation or a journey has its turn. */
    WEIGHT("weight", 1, 10_000),
    /** Event loops. */
    LOOPS("loops", 1, 1_024),
    /** Users of a connection that pipelines. */
    PIPELINE("pipeline", 1, 1_000),
    /** Users of an HTTP/2 connection. */
    STREAMS("streams", 1, 10_000),
    /** Bytes of a socket's receive buffer. */
    RECEIVE_BUFFER("receiveBuffer", 1_024, 1 << 30),
    /** Bytes of a socket's send buffer. */
    SEND_BUFFER("sendBuffer", 1_024, 1 << 30),
    /** Connections of a pool. */
    POOL("pool", 1, 1_000_000),
    /** Connections of a pool to one host. */
    POOL_PER_ROUTE("poolPerRoute", 1, 1_000_000),
    /** Times that Apache HttpClient sends a request again. */
    RETRIES("retries", 0, 100),
    /** Receivers of each message. */
    SUBSCRIBERS("subscribers", 0, 64),
    /** Bytes of a message. */
    MESSAGE_SIZE("messageSize", 64, 1 << 20),
    /** Quality of service of messages by MQTT. */
    QOS("qos", 0, 1);

    private final String key;
    private final long least;
    private final long most;

    Limit(String key, long least, long most) {
        this.key = key;
        this.least = least;
        this.most = most;
    }

    /** {@return the key of the numbers in a plan} */
    public String key() {
        return key;
    }

    /** {@return the smallest number} */
    public long least() {
        return least;
    }

    /** {@return the largest number} */
    public long most() {
        return most;
    }

    /**
     * Checks a number.
     *
     * @throws IllegalArgumentException naming the key, the number and its limits
     */
    public void check(long number) {
        Args.range(key, number, least, most);
    }
}
