// A server that behaves as its arguments say, on Node's event loop; see behaviours.py.
import http from 'node:http';
import http2 from 'node:http2';
import zlib from 'node:zlib';

let begin = 0;
let connections = 0;
let inFlight = 0;
const options = {};
const rules = [];

class Rule {
    constructor(keys) {
        this.keys = keys;
        this.count = 0;
        this.tick = 0;
        this.second = -1;
        this.passed = 0;
    }

    number(name) {
        const [low, high] = this.keys[name].split('..').map(Number);
        return high === undefined ? low : low + Math.random() * (high - low);
    }

    matches(request) {
        const ms = performance.now() - begin;
        const socket = request.socket ?? request.stream.session.socket;
        const tests = {
            path: () => request.url.startsWith(this.keys.path),
            method: () => request.method === this.keys.method,
            conn: () => socket.number % this.number('conn') === 0,
            upto: () => socket.asked <= this.number('upto'),
            above: () => inFlight > this.number('above'),
            from: () => ms >= this.number('from'),
            to: () => ms < this.number('to'),
            share: () => Math.random() < this.number('share'),
            every: () => ++this.count % this.number('every') === 0,
            tick: () => {
                const period = Math.floor(ms / this.number('tick'));
                const first = period !== 0 && period !== this.tick;
                this.tick = period;
                return first;
            },
            // More than so many in this second.
            window: () => {
                const second = Math.floor(ms / 1000);
                this.passed = second === this.second ? this.passed + 1 : 1;
                this.second = second;
                return this.passed > this.number('window');
            },
        };
        return Object.keys(this.keys).every(name => !tests[name] || tests[name]());
    }
}

for (const text of process.argv.slice(2)) {
    const keys = Object.fromEntries(text.split(' ').map(word => word.split(/=(.*)/s, 2)));
    if ('option' in keys) {
        Object.assign(options, keys);
    } else {
        rules.push(new Rule(keys));
    }
}

function block(ms) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function burn(ms) {
    for (const until = performance.now() + ms; performance.now() < until;) {
        // Busy.
    }
}

async function answer(request, response) {
    begin ||= performance.now();
    const socket = request.socket;
    socket.asked = (socket.asked ?? 0) + 1;
    inFlight++;
    response.once('close', () => inFlight--);
    await new Promise(done => request.on('end', done).resume());
    let body = Buffer.from('ok');
    for (const rule of rules) {
        if (!rule.matches(request)) {
            continue;
        }
        const ms = ('ms' in rule.keys ? rule.number('ms') : 0) + ('exp' in rule.keys ? -Math.log(Math.random()) * rule.number('exp') : 0);
        if ('cpu' in rule.keys) {
            burn(rule.number('cpu'));
        }
        if ('block' in rule.keys) {
            block(ms);
        } else if (ms > 0) {
            await new Promise(done => setTimeout(done, ms));
        }
        if ('bytes' in rule.keys) {
            body = Buffer.alloc(rule.number('bytes'), '{"name": "value"}, ');
        }
        if ('header' in rule.keys) {
            response.setHeader(...rule.keys.header.split(/:(.*)/s, 2));
        }
        if ('gzip' in rule.keys) {
            body = zlib.gzipSync(body);
            response.setHeader('Content-Encoding', 'gzip');
        }
        switch (rule.keys.end) {
            case 'hang':
                return;
            case 'reset':
                socket.resetAndDestroy();
                return;
            case 'close':
                socket.destroy();
                return;
            case 'truncate':
                // Chunks without a last one.
                response.write(body);
                setTimeout(() => socket.destroy(), 5);
                return;
        }
        if ('status' in rule.keys) {
            response.statusCode = rule.number('status');
            break;
        }
    }
    response.setHeader('Content-Length', body.length);
    response.end(body);
}

const secure = 'key' in options;
const server = secure
    ? http2.createSecureServer({key: (await import('node:fs')).readFileSync(options.key), cert: (await import('node:fs')).readFileSync(options.cert), allowHTTP1: true}, answer)
    : http.createServer(answer);
if ('idle' in options) {
    server.keepAliveTimeout = Number(options.idle);
    server.keepAliveTimeoutBuffer = 0;
}
server.on('connection', socket => {
    socket.number = ++connections;
});
server.listen(0, '127.0.0.1', 1024, () => console.log(`Serving on ${secure ? 'https' : 'http'}://127.0.0.1:${server.address().port}/`));
// Its parent is gone when standard input ends.
process.stdin.on('end', () => process.exit()).resume();
