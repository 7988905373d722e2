bind 'tcp://127.0.0.1:${plain}'
threads 2, 2

log = File.open('${folder}/access.log', 'a')
log.sync = true

app do |env|
  log.write("#{env['REQUEST_METHOD']} #{env['REQUEST_URI']} 200\n")
  [200, { 'Content-Type' => 'text/plain', 'Content-Length' => '3' }, ["ok\n"]]
end
