'use strict';
const fs = require('fs');
const http = require('http');
const https = require('https');

const log = fs.openSync('${folder}/access.log', 'a');
const pem = fs.readFileSync('${folder}/server.pem');

function answer(request, response) {
    const end = (status, headers) => {
        fs.writeSync(log, request.method + ' ' + request.url + ' ' + status + '\n');
        response.writeHead(status, headers).end('ok');
    };
    // How its connection will end once it has been idle.
    request.socket.says408 = request.url.startsWith('/408');
    if (request.url.startsWith('/early')) {
        end(413, {Connection: 'close'});
    } else {
        request.resume().on('end', () => end(200, {}));
    }
}

function endIdle(socket) {
    if (socket.says408) {
        socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    } else {
        socket.destroy();
    }
}

const idle = {keepAliveTimeout: 200};
const tls = {...idle, key: pem, cert: pem};
const servers = [
    [http.createServer(idle, answer), ${plain}],
    [https.createServer({...tls, maxVersion: 'TLSv1.2'}, answer), ${tls12}],
    [https.createServer({...tls, minVersion: 'TLSv1.3'}, answer), ${tls13}],
];
for (const [server, port] of servers) {
    server.maxRequestsPerSocket = 7;
    server.on('timeout', endIdle).listen(port, '127.0.0.1');
}
