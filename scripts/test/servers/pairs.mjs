// Servers of the protocols that pairs have descriptions of, on free ports, which are printed: Socket.IO, graphql-transport-ws, and the wire of
// Phoenix, which is played.
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { WebSocketServer } from 'ws';

const rooms = new Map();
const room = name => rooms.get(name) ?? rooms.set(name, new Set()).get(name);

function socketIo(server) {
  const io = new Server(server, { pingInterval: 500 });
  io.on('connection', socket => {
    socket.on('join', (name, done) => { socket.join(name); done('ok'); });
    socket.on('message', (name, text) => io.to(name).emit('message', text));
  });
}

async function* listen(name) {
  const queue = [];
  let wake = () => {};
  const own = text => { queue.push(text); wake(); };
  room(name).add(own);
  try {
    for (;;) {
      while (queue.length) yield { message: queue.shift() };
      await new Promise(resolve => { wake = resolve; });
    }
  } finally {
    room(name).delete(own);
  }
}

function graphql(server) {
  const type = GraphQLString;
  const send = { type, args: { room: { type }, text: { type } }, resolve: (_, { room: name, text }) => { room(name).forEach(to => to(text)); return 'ok'; } };
  const message = { type, args: { room: { type } }, subscribe: (_, { room: name }) => listen(name) };
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { none: { type } } }),
    mutation: new GraphQLObjectType({ name: 'Mutation', fields: { send } }),
    subscription: new GraphQLObjectType({ name: 'Subscription', fields: { message } }),
  });
  useServer({ schema }, new WebSocketServer({ server, path: '/graphql' }), 500);
}

function phoenix(server) {
  new WebSocketServer({ server, path: '/socket/websocket' }).on('connection', socket => {
    const joined = new Map();
    socket.on('message', bytes => {
      const [join, ref, topic, event, payload] = JSON.parse(bytes);
      const reply = (status, response) => socket.send(JSON.stringify([join, ref, topic, 'phx_reply', { status, response }]));
      if (event === 'phx_join') {
        joined.set(topic, join);
        room(topic).add(socket);
        reply('ok', {});
      } else if (topic === 'phoenix') {
        reply('ok', {});
      } else if (joined.get(topic) !== join) {
        reply('error', { reason: 'unmatched topic' });
      } else {
        room(topic).forEach(to => to.send(JSON.stringify([null, null, topic, event, payload])));
        reply('ok', {});
      }
    });
  });
}

for (const [name, serve] of Object.entries({ 'socket.io': socketIo, 'graphql-transport-ws': graphql, phoenix })) {
  const server = createServer();
  serve(server);
  server.listen(0, '127.0.0.1', () => console.log(name, server.address().port));
}
