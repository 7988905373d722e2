package io.phaseload.http.response;

/** The first line of a response (RFC 9112 §4). Owned by one parser. */
final class StatusLine {

    private int status;
    private boolean atLeastOneDotOne;

    /** {@return three digits: those of the last line that was read} */
    int status() {
        return status;
    }

    /** {@return true if the server speaks HTTP/1.1 or later, and not HTTP/1.0} */
    boolean isAtLeastOneDotOne() {
        return atLeastOneDotOne;
    }

    /** Reads a line, without its end. */
    void read(byte[] line, int from, int to) throws MalformedException {
        boolean http = to - from >= 8
                && line[from] == 'H'
                && line[from + 1] == 'T'
                && line[from + 2] == 'T'
                && line[from + 3] == 'P'
                && line[from + 4] == '/'
                && line[from + 6] == '.';
        if (!http) {
            throw MalformedException.of("Invalid protocol version", line, from, to);
        }
        if (line[from + 5] != '1' || !isDigit(line[from + 7])) {
            throw MalformedException.of("Unsupported protocol version", line, from, to);
        }
        atLeastOneDotOne = line[from + 7] >= '1';
        int code = 0;
        int at = from + 8;
        while (at < to && HeaderRules.isBlank(line[at])) {
            at++;
        }
        int first = at;
        while (at < to && isDigit(line[at]) && at - first < 4) {
            code = code * 10 + line[at++] - '0';
        }
        boolean delimited = first > from + 8 && (at == to || HeaderRules.isBlank(line[at]));
        if (at - first != 3 || code < 100 || !delimited) {
            throw MalformedException.of("Status line contains invalid status code", line, from, to);
        }
        status = code;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
