import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, test } from 'vitest'
import { type Network, postMessage } from '../../../api/events/webhooks/post-message.ts'
import { findUrlFault } from '../../../api/events/webhooks/receiver-url.ts'
import { certificate, certificateKey } from '../../support/webhooks/certificate.ts'

const message = { headers: { 'webhook-id': 'one' }, body: '{"kind":"test"}' }
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

const listenPlain = (answer: Handler) => listen(createServer(answer))
const namesAre = (addresses: string[], more: Partial<Network> = {}): Network & { asked: string[] } => {
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    return addresses
  }
  return { resolve, asked, ...more }
}
const stopping = new AbortController().signal
const post = (url: string, network: Network, isLocal = true) =>
  postMessage({ url, isLocal, stopping }, message, network)

describe('a delivery', () => {
  it('given a name, then it is looked up once, and is Host while the address is connected to', async () => {
    const seen: (string | undefined)[] = []
    const port = await listenPlain((request, response) => {
      seen.push(request.headers.host, request.method, request.url, String(request.headers.connection))
      response.end('fine')
    })
    const network = namesAre(['127.0.0.1'])
    const outcome = await post(`http://hook.example:${port}/a?b=c`, network)
    expect(outcome).toMatchObject({ status: 200, error: null, answer: 'fine' })
    expect(seen).toEqual([`hook.example:${port}`, 'POST', '/a?b=c', 'close'])
    expect(network.asked).toEqual(['hook.example'])
  })

  it('given https, then the name is what the certificate must be of', async () => {
    const names: string[] = []
    const server = createTlsServer({ cert: certificate, key: certificateKey }, (request, response) => {
      names.push(String((request.socket as { servername?: string }).servername), String(request.headers.host))
      response.end()
    })
    const port = await listen(server)
    const network = namesAre(['127.0.0.1'], { ca: certificate })
    expect(await post(`https://hook.example:${port}/`, network)).toMatchObject({ status: 200, error: null })
    expect(names).toEqual(['hook.example', `hook.example:${port}`])
    const other = await post(`https://other.example:${port}/`, network)
    expect(other).toMatchObject({ status: null, error: 'the connection failed: ERR_TLS_CERT_ALTNAME_INVALID' })
    const untrusted = await post(`https://hook.example:${port}/`, namesAre(['127.0.0.1']))
    expect(untrusted).toMatchObject({ status: null, error: expect.stringContaining('the connection failed') })
    expect(names).toHaveLength(2)
  })

  it.each([[['127.0.0.1']], [['8.8.8.8', '10.0.0.1']]])(
    'given a name of %j in a public deployment, then no connection is made',
    async (addresses) => {
      let connections = 0
      const server = createServer((_, response) => response.end())
      server.on('connection', () => {
        connections += 1
      })
      const port = await listen(server)
      const outcome = await post(`https://hook.example:${port}/`, namesAre(addresses), false)
      expect(outcome).toMatchObject({ status: null, error: 'an address of the name is not globally reachable' })
      expect(connections).toBe(0)
    },
  )

  it('given a local chain, then private addresses are refused all the same', async () => {
    const outcome = await post('http://hook.example/', namesAre(['192.168.1.1']))
    expect(outcome.error).toBe('an address of the name is not globally reachable')
  })

  it('given a name without an address, or one that is not found, then it says so', async () => {
    expect((await post('http://hook.example/', namesAre([]))).error).toBe('the name has no address')
    const failing: Network = {
      resolve: async () => {
        throw Object.assign(new Error('queryA ENOTFOUND hook.example'), { code: 'ENOTFOUND' })
      },
    }
    expect((await post('http://hook.example/', failing)).error).toBe('the connection failed: ENOTFOUND')
  })

  it('given a redirect, then it is not followed', async () => {
    let requests = 0
    const port = await listenPlain((_, response) => {
      requests += 1
      response.writeHead(307, { Location: '/other' }).end()
    })
    expect(await post(`http://127.0.0.1:${port}/`, namesAre([]))).toMatchObject({ status: 307, error: null })
    expect(requests).toBe(1)
  })

  it.each<[string, Handler, string]>([
    ['more than 64 kB', (_, response) => response.end('x'.repeat(65_537)), 'the answer has more than 64 kB'],
    ['an answer without end', flood, 'the answer has more than 64 kB'],
    ['an answer that is cut', (_, response) => cut(response), 'the connection failed: ECONNRESET'],
    ['no answer', () => {}, 'no answer in 0.3 s'],
    ['one byte and no more', (_, response) => response.writeHead(200).write('x'), 'no answer in 0.3 s'],
    ['another protocol', ({ socket }) => socket.write(switching), 'the answer changes the protocol'],
    ['a connection that is closed', ({ socket }) => socket.destroy(), 'the connection failed: ECONNRESET'],
  ])('given %s, then there is no status, and the error says so', async (_, answer, error) => {
    const port = await listenPlain(answer)
    const outcome = await post(`http://127.0.0.1:${port}/`, namesAre([], { timeoutMs: 300 }))
    expect(outcome).toMatchObject({ status: null, error, answer: '' })
  })

  it('given 64 kB, then they are read', async () => {
    const port = await listenPlain((_, response) => response.end('x'.repeat(65_536)))
    expect((await post(`http://127.0.0.1:${port}/`, namesAre([]))).answer).toHaveLength(65_536)
  })
})

const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

/** Writes for as long as it is read. */
function flood(_: IncomingMessage, response: ServerResponse): void {
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(10_000)));
  }
  response.on('drain', write)
  write()
}

/** Promises more than it sends. */
function cut(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Length': '100' })
  response.write('x', () => response.destroy())
}

test.each([
  ['https://hook.example/', null],
  ['https://hook.example:443/a?b', null],
  ['https://hook.example:444/', 'must have no port but 443'],
  ['http://hook.example/', 'must begin with https://'],
  ['https://127.0.0.1/', 'must have a name, not an address'],
  ['https://2130706433/', 'must have a name, not an address'],
  ['https://0x7f000001/', 'must have a name, not an address'],
  ['https://0x7f.1/', 'must have a name, not an address'],
  ['https://[::1]/', 'must have a name, not an address'],
  ['https://[2606:4700::1]/', 'must have a name, not an address'],
  ['https://a:b@hook.example/', 'must have no user name and no password'],
  ['https://hook.example/#a', 'must have no fragment'],
  ['file:///etc/passwd', 'must begin with https://'],
  ['nonsense', 'must be a URL'],
])('given the URL %s of a public deployment, then its fault is %s', (url, fault) => {
  expect(findUrlFault(url, false)).toBe(fault)
})

test.each(['http://127.0.0.1:8080/', 'https://localhost:1/', 'http://hook.example/'])(
  'given the URL %s and a chain of this machine, then it is taken',
  (url) => {
    expect(findUrlFault(url, true)).toBe(null)
  },
)
