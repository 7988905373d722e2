// Servers that end kept connections, each in one way, and count the requests that they read. Prints their ports, and those
// of a control server: /reset, and /counts with the requests read, lost and ambiguous by method.
package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

const lostEvery = 20

type counts struct{ Read, Lost, Ambiguous int }

var (
	lock    sync.Mutex
	methods = map[string]*counts{}
	total   int
)

// Counts a request; returns whether it is one of those that the server loses.
func read(method string) bool {
	lock.Lock()
	defer lock.Unlock()
	of(method).Read++
	total++
	return total%lostEvery == 0
}

func of(method string) *counts {
	if methods[method] == nil {
		methods[method] = &counts{}
	}
	return methods[method]
}

func lose(method string) {
	lock.Lock()
	defer lock.Unlock()
	of(method).Lost++
}

type conn struct {
	net.Conn
	tcp *net.TCPConn
}

func (c conn) reset() {
	c.tcp.SetLinger(0)
	c.tcp.Close()
}

// FIN, after close_notify over TLS. A request that the system has by then may have come before.
func (c conn) end(method string) {
	if secured, ok := c.Conn.(*tls.Conn); ok {
		secured.CloseWrite()
	}
	c.tcp.CloseWrite()
	if c.unread() > 0 {
		lock.Lock()
		of(method).Ambiguous++
		lock.Unlock()
	}
}

func (c conn) unread() int {
	var bytes int32
	raw, _ := c.tcp.SyscallConn()
	raw.Control(func(fd uintptr) {
		syscall.Syscall(syscall.SYS_IOCTL, fd, 0x541B, uintptr(unsafe.Pointer(&bytes)))
	})
	return int(bytes)
}

func crash(mode string, c conn) {
	switch mode {
	case "rst-50ms":
		time.Sleep(50 * time.Millisecond)
		c.reset()
	case "rst":
		c.reset()
	case "fin":
		c.tcp.Close()
	case "fin-rst":
		c.tcp.CloseWrite()
		time.Sleep(2 * time.Millisecond)
		c.reset()
	case "notify-rst":
		if secured, ok := c.Conn.(*tls.Conn); ok {
			secured.CloseWrite()
		}
		c.reset()
	}
}

func serve(mode string, c conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	for number := 1; ; number++ {
		method, length := "", 0
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			line = strings.TrimSpace(line)
			if method == "" {
				method = strings.Fields(line)[0]
			}
			if name, value, found := strings.Cut(line, ":"); found && strings.EqualFold(name, "content-length") {
				length, _ = strconv.Atoi(strings.TrimSpace(value))
			}
			if line == "" {
				break
			}
		}
		lost := read(method)
		if mode == "part" && number%2 == 0 && length > 0 {
			lose(method)
			c.tcp.Close()
			return
		}
		if _, err := io.CopyN(io.Discard, in, int64(length)); err != nil {
			return
		}
		if lost && !strings.HasPrefix(mode, "idle") && mode != "part" {
			lose(method)
			crash(mode, c)
			return
		}
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		if number%5 != 0 {
			continue
		}
		switch mode {
		case "idle-fin":
			c.end(method)
			c.tcp.Close()
			return
		case "idle-linger":
			c.end(method)
			c.tcp.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
			io.Copy(io.Discard, c.tcp)
			return
		case "idle-rst":
			c.reset()
			return
		case "idle-notify-rst":
			crash("notify-rst", c)
			return
		}
	}
}

type key struct{}

// HTTP/2: what ends the connection ends it beneath Go's own server.
func serveHTTP2(mode string, listener net.Listener, config *tls.Config) {
	protocols := new(http.Protocols)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	number := 0
	server := &http.Server{
		TLSConfig: config,
		Protocols: protocols,
		ErrorLog:  nil,
		ConnContext: func(ctx context.Context, made net.Conn) context.Context {
			tcp, ok := made.(*net.TCPConn)
			if secured, isTLS := made.(*tls.Conn); isTLS {
				tcp, ok = secured.NetConn().(*net.TCPConn)
			}
			if !ok {
				panic("no TCP")
			}
			return context.WithValue(ctx, key{}, conn{made, tcp})
		},
		Handler: http.HandlerFunc(func(out http.ResponseWriter, request *http.Request) {
			io.Copy(io.Discard, request.Body)
			c := request.Context().Value(key{}).(conn)
			lost := read(request.Method)
			if lost && !strings.HasPrefix(mode, "idle") {
				lose(request.Method)
				crash(mode, c)
				panic(http.ErrAbortHandler)
			}
			out.Write([]byte("ok"))
			lock.Lock()
			number++
			ends := mode == "idle-fin" && number%5 == 0
			lock.Unlock()
			if ends {
				time.AfterFunc(5*time.Millisecond, func() { c.tcp.Close() })
			}
		}),
	}
	if config != nil {
		server.ServeTLS(listener, "", "")
	} else {
		server.Serve(listener)
	}
}

func certificate() tls.Certificate {
	private, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}}
	der, _ := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}
}

func listen() (net.Listener, int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return listener, listener.Addr().(*net.TCPAddr).Port
}

func main() {
	ports := map[string]int{}
	pair := certificate()
	versions := map[string]uint16{"plain": 0, "tls12": tls.VersionTLS12, "tls13": tls.VersionTLS13}
	modes := []string{"rst-50ms", "rst", "fin", "fin-rst", "notify-rst", "part", "idle-fin", "idle-linger", "idle-rst", "idle-notify-rst"}
	for wire, version := range versions {
		for _, mode := range modes {
			config := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: version, MaxVersion: version}
			listener, port := listen()
			ports[wire+" "+mode] = port
			go func() {
				for {
					made, err := listener.Accept()
					if err != nil {
						return
					}
					tcp := made.(*net.TCPConn)
					c := conn{made, tcp}
					if version != 0 {
						c.Conn = tls.Server(made, config)
					}
					go serve(mode, c)
				}
			}()
			over2, port2 := listen()
			ports[wire+" "+mode+" h2"] = port2
			if version == 0 {
				config = nil
			}
			go serveHTTP2(mode, over2, config)
		}
	}
	control, port := listen()
	ports["control"] = port
	http.HandleFunc("/reset", func(http.ResponseWriter, *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		methods, total = map[string]*counts{}, 0
	})
	http.HandleFunc("/counts", func(out http.ResponseWriter, _ *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		json.NewEncoder(out).Encode(methods)
	})
	text, _ := json.Marshal(ports)
	fmt.Println(string(text))
	http.Serve(control, nil)
}
