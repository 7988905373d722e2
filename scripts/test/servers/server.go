// A server that behaves as its arguments say: each is a rule, such as "share=0.1 ms=80..120"; see behaviours.py.
// Options follow option=1: address=HOST:PORT, tls=1, streams=N, handshake=MS, connections=N, idle=MS, buffer=BYTES (of plain connections), down=FROM..TO (ms since the first connection).
package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	cryptorand "crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"math/rand"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type rule struct {
	keys           map[string]string
	count          atomic.Int64
	tick           atomic.Int64
	pool           chan struct{}
	lock           sync.Mutex
	tokens, second float64
	last           time.Time
}

type connection struct {
	number, requests int64
	raw              net.Conn
	lock             sync.Mutex
}

type key struct{}

var (
	rules       []*rule
	requests    atomic.Int64
	connections atomic.Int64
	inFlight    atomic.Int64
	begin       time.Time
	once        sync.Once
	world       sync.RWMutex
)

func (r *rule) number(name string) float64 {
	value, err := strconv.ParseFloat(r.keys[name], 64)
	if err != nil {
		panic(name + "=" + r.keys[name])
	}
	return value
}

func (r *rule) between(name string) float64 {
	low, high, both := strings.Cut(r.keys[name], "..")
	from, _ := strconv.ParseFloat(low, 64)
	if !both {
		return from
	}
	to, _ := strconv.ParseFloat(high, 64)
	return from + rand.Float64()*(to-from)
}

func (r *rule) token(burst, rate float64) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	now := time.Now()
	if r.last.IsZero() {
		r.tokens = burst
	} else {
		r.tokens = min(burst, r.tokens+rate*now.Sub(r.last).Seconds())
	}
	r.last = now
	if r.tokens < 1 {
		return false
	}
	r.tokens--
	return true
}

func (r *rule) matches(q *http.Request, c *connection, number int64) bool {
	ms := float64(time.Since(begin).Microseconds()) / 1000
	for name := range r.keys {
		holds := true
		switch name {
		case "path":
			holds = strings.HasPrefix(q.URL.Path, r.keys[name])
		case "method":
			holds = q.Method == r.keys[name]
		case "conn":
			holds = c.number%int64(r.number(name)) == 0
		case "upto":
			holds = c.requests <= int64(r.number(name))
		case "nth":
			holds = c.requests%int64(r.number(name)) == 0
		case "first":
			holds = number <= int64(r.number(name))
		case "above":
			holds = inFlight.Load() > int64(r.number(name))
		case "from":
			holds = ms >= r.number(name)
		case "to":
			holds = ms < r.number(name)
		}
		if !holds {
			return false
		}
	}
	if _, found := r.keys["share"]; found && rand.Float64() >= r.number("share") {
		return false
	}
	if _, found := r.keys["every"]; found && r.count.Add(1)%int64(r.number("every")) != 0 {
		return false
	}
	if _, found := r.keys["tick"]; found {
		period := int64(ms / r.number("tick"))
		if before := r.tick.Load(); period == 0 || period == before || !r.tick.CompareAndSwap(before, period) {
			return false
		}
	}
	if bucket, found := r.keys["bucket"]; found {
		burst, rate, _ := strings.Cut(bucket, "/")
		b, _ := strconv.ParseFloat(burst, 64)
		p, _ := strconv.ParseFloat(rate, 64)
		return !r.token(b, p)
	}
	return true
}

func (r *rule) wait(c *connection) {
	ms := 0.0
	if _, found := r.keys["ms"]; found {
		ms = r.between("ms")
	}
	if _, found := r.keys["exp"]; found {
		ms += rand.ExpFloat64() * r.number("exp")
	}
	if _, found := r.keys["grow"]; found {
		ms += r.number("grow") / 1000 * float64(requests.Load())
	}
	if _, found := r.keys["block"]; found {
		world.RUnlock()
		world.Lock()
		time.Sleep(time.Duration(ms * float64(time.Millisecond)))
		world.Unlock()
		world.RLock()
		return
	}
	if r.pool != nil {
		r.pool <- struct{}{}
		defer func() { <-r.pool }()
	}
	if _, found := r.keys["serial"]; found {
		c.lock.Lock()
		defer c.lock.Unlock()
	}
	if _, found := r.keys["cpu"]; found {
		for until := time.Now().Add(time.Duration(r.number("cpu") * float64(time.Millisecond))); time.Now().Before(until); {
		}
	}
	if ms > 0 {
		time.Sleep(time.Duration(ms * float64(time.Millisecond)))
	}
}

func end(w http.ResponseWriter, q *http.Request, c *connection, how string) {
	if q.ProtoMajor == 2 {
		panic(http.ErrAbortHandler)
	}
	if how == "hang" {
		<-q.Context().Done()
		panic(http.ErrAbortHandler)
	}
	conn, buffer, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	switch how {
	case "truncate":
		fmt.Fprintf(buffer, "HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n%s", strings.Repeat("x", 9000))
		buffer.Flush()
	case "reset":
		c.raw.(*net.TCPConn).SetLinger(0)
	}
	conn.Close()
}

func handle(w http.ResponseWriter, q *http.Request) {
	once.Do(func() { begin = time.Now() })
	c := q.Context().Value(key{}).(*connection)
	atomic.AddInt64(&c.requests, 1)
	number := requests.Add(1)
	inFlight.Add(1)
	defer inFlight.Add(-1)
	chunk := 0.0
	for _, r := range rules {
		if _, found := r.keys["read"]; found && r.matches(q, c, number) {
			chunk = r.between("read")
		}
	}
	for buffer := make([]byte, 64<<10); ; {
		if _, err := io.ReadFull(q.Body, buffer); err != nil {
			break
		}
		time.Sleep(time.Duration(chunk * float64(time.Millisecond)))
	}
	world.RLock()
	defer world.RUnlock()
	body := "ok"
	for _, r := range rules {
		if !r.matches(q, c, number) {
			continue
		}
		r.wait(c)
		if size, found := r.keys["bytes"]; found {
			n, _ := strconv.Atoi(size)
			body = strings.Repeat("0123456789", n/10+1)[:n]
		}
		if name, value, found := strings.Cut(r.keys["header"], ":"); found {
			w.Header().Set(name, value)
		}
		if how, found := r.keys["end"]; found {
			end(w, q, c, how)
			return
		}
		if status, found := r.keys["status"]; found {
			n, _ := strconv.Atoi(status)
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			w.WriteHeader(n)
			if q.Method != "HEAD" && n != 204 && n != 304 {
				io.WriteString(w, body)
			}
			return
		}
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	io.WriteString(w, body)
}

func certificate() tls.Certificate {
	private, _ := ecdsa.GenerateKey(elliptic.P256(), cryptorand.Reader)
	template := x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(cryptorand.Reader, &template, &template, &private.PublicKey, private)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}
}

// Accepts, and closes at once those that are too many.
type limited struct {
	net.Listener
	most int64
	open *atomic.Int64
}

func (l limited) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil || l.most == 0 {
			return conn, err
		}
		if l.open.Load() < l.most {
			return conn, nil
		}
		conn.Close()
	}
}

// Prints the ms that so many requests take which are sent at once over one HTTP/2 connection.
func ask(url string, number int) {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	client := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	get := func() {
		response, err := client.Get(url)
		if err != nil {
			panic(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	get()
	start := time.Now()
	var all sync.WaitGroup
	for range number {
		all.Go(get)
	}
	all.Wait()
	fmt.Println(time.Since(start).Milliseconds())
}

func main() {
	if os.Args[1] == "ask" {
		number, _ := strconv.Atoi(os.Args[3])
		ask(os.Args[2], number)
		return
	}
	options := map[string]string{}
	for _, argument := range os.Args[1:] {
		r := &rule{keys: map[string]string{}}
		for _, word := range strings.Fields(argument) {
			name, value, _ := strings.Cut(word, "=")
			r.keys[name] = value
		}
		if _, found := r.keys["option"]; found {
			options = r.keys
			continue
		}
		if n, found := r.keys["pool"]; found {
			size, _ := strconv.Atoi(n)
			r.pool = make(chan struct{}, size)
		}
		rules = append(rules, r)
	}
	number := func(name string) int64 {
		value, _ := strconv.ParseInt(options[name], 10, 64)
		return value
	}
	address := options["address"]
	if address == "" {
		address = "127.0.0.1:0"
	}
	var open atomic.Int64
	serve := func(address string) (*http.Server, string) {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			panic(err)
		}
		protocols := new(http.Protocols)
		protocols.SetHTTP1(true)
		protocols.SetHTTP2(true)
		protocols.SetUnencryptedHTTP2(true)
		server := &http.Server{Handler: http.HandlerFunc(handle), Protocols: protocols, IdleTimeout: time.Duration(number("idle")) * time.Millisecond,
			HTTP2: &http.HTTP2Config{MaxConcurrentStreams: int(number("streams"))},
			ConnContext: func(ctx context.Context, conn net.Conn) context.Context {
				raw := conn
				if _, found := options["buffer"]; found {
					conn.(*net.TCPConn).SetReadBuffer(int(number("buffer")))
				}
				if secure, ok := conn.(*tls.Conn); ok {
					raw = secure.NetConn()
				}
				return context.WithValue(ctx, key{}, &connection{number: connections.Add(1), raw: raw})
			},
			ConnState: func(_ net.Conn, state http.ConnState) {
				switch state {
				case http.StateNew:
					open.Add(1)
				case http.StateClosed, http.StateHijacked:
					open.Add(-1)
				}
			}}
		var accepting net.Listener = limited{listener, number("connections"), &open}
		if _, found := options["tls"]; found {
			own := certificate()
			configuration := &tls.Config{NextProtos: []string{"h2", "http/1.1"}, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
				time.Sleep(time.Duration(number("handshake")) * time.Millisecond)
				return &own, nil
			}}
			server.TLSConfig = configuration
			go server.ServeTLS(accepting, "", "")
		} else {
			go server.Serve(accepting)
		}
		return server, listener.Addr().String()
	}
	server, at := serve(address)
	scheme := "http"
	if _, found := options["tls"]; found {
		scheme = "https"
	}
	fmt.Printf("Serving on %s://%s/\n", scheme, at)
	if from, to, found := strings.Cut(options["down"], ".."); found {
		go func() {
			for begin.IsZero() {
				time.Sleep(20 * time.Millisecond)
			}
			start, _ := strconv.Atoi(from)
			stop, _ := strconv.Atoi(to)
			time.Sleep(time.Duration(start) * time.Millisecond)
			server.Close()
			time.Sleep(time.Duration(stop-start) * time.Millisecond)
			serve(at)
		}()
	}
	// Its parent is gone when standard input ends.
	bufio.NewReader(os.Stdin).ReadByte()
}
