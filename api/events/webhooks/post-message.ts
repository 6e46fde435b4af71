import { Resolver } from 'node:dns/promises'
import { type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { hostOf, isReceiver } from './receiver-url.ts'

/** The longest time of one delivery in milliseconds: DNS lookup, connection and answer together. */
const TIMEOUT_MS = 10_000
/** The largest size of a receiver's answer, in bytes. A longer answer is refused. */
const ANSWER_BYTES_AT_MOST = 65_536
/** The longest wait for the answer of one DNS server, in milliseconds. */
const LOOK_UP_MS = 4_000

/** A signed message, with the Standard Webhooks headers and the signed body. */
export interface Message {
  headers: Readonly<Record<string, string>>
  body: string
}

/** The outcome of one POST request. `status` is null if no complete answer arrived; `error` then has the reason. */
export interface PostOutcome {
  status: number | null
  error: string | null
  latencyMs: number
  /** The text of the answer; empty if there is none. */
  answer: string
}

/** The receiver of a message, and the IP addresses that are allowed for the receiver. */
export interface Receiver {
  url: string
  /** True if the chain runs on this machine. The URL may then resolve to a loopback address. */
  isLocal?: boolean
  /** True if the operator chose the URL. The URL may then resolve to any address. */
  isTrusted?: boolean
  /** The signal that aborts the delivery. */
  stopping: AbortSignal
}

/** The access to the network, which tests replace. */
export interface Network {
  /** Resolves a host name to IP addresses. */
  resolve(name: string, signal: AbortSignal): Promise<string[]>
  /** A CA certificate that is trusted in addition to those of Node. */
  ca?: string
  timeoutMs?: number
}

/**
 * Posts a message once. Every IP address of the host must be permitted, and the message is sent to the first of them.
 * Redirects are not followed. Connections are not reused. An answer of more than 64 kB is rejected.
 */
export async function postMessage(receiver: Receiver, message: Message, network: Network): Promise<PostOutcome> {
  // The host name is resolved only once, because a second lookup could return another address. SNI and `Host` have the
  // host name.
  const begin = performance.now()
  const { timeoutMs = TIMEOUT_MS } = network
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), receiver.stopping])
  const outcomeOf = (outcome: Omit<PostOutcome, 'latencyMs'>) => ({
    ...outcome,
    latencyMs: Math.round(performance.now() - begin),
  })
  try {
    const address = await findAddress(receiver, network, signal)
    return outcomeOf(await post(new URL(receiver.url), { address, message, signal, ca: network.ca }))
  } catch (error) {
    return outcomeOf({
      status: null,
      error: signal.aborted ? `no answer in ${timeoutMs / 1000} s` : nameOf(error),
      answer: '',
    })
  }
}

/**
 * The network access that resolves host names by requests to the machine's DNS servers. It does not use the lookup
 * function of the system, because that function occupies a thread that file access needs.
 */
export const nameServers: Network = {
  resolve: async (name, signal) => {
    const resolver = new Resolver({ timeout: LOOK_UP_MS, tries: 1 })
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const addresses = [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
      return addresses
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  },
}

/** The error for a delivery that this service refuses or aborts. The webhook's owner reads the message. */
class ReceiverRefused extends Error {}

async function findAddress(
  { url, isLocal = false, isTrusted = false }: Receiver,
  network: Network,
  signal: AbortSignal,
): Promise<string> {
  const name = hostOf(new URL(url))
  const hasLocal = isLocal || isTrusted
  const addresses = isIP(name) === 0 ? await listAddresses(name, { isLocal: hasLocal, network, signal }) : [name]
  const [first] = addresses
  if (first === undefined) throw new ReceiverRefused('the name has no address')
  if (!isTrusted && !addresses.every((address) => isReceiver(address, isLocal))) {
    throw new ReceiverRefused('an address of the name is not globally reachable')
  }
  return first
}

async function listAddresses(
  name: string,
  { isLocal, network, signal }: { isLocal: boolean; network: Network; signal: AbortSignal },
): Promise<string[]> {
  return isLocal && name === 'localhost' ? ['127.0.0.1'] : await network.resolve(name, signal)
}

interface Post {
  address: string
  message: Message
  signal: AbortSignal
  ca: string | undefined
}

function post(url: URL, { address, message, signal, ca }: Post): Promise<Omit<PostOutcome, 'latencyMs'>> {
  const name = hostOf(url)
  const isTls = url.protocol === 'https:'
  const options: RequestOptions & { servername?: string; ca?: string } = {
    method: 'POST',
    host: address,
    port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: {
      Host: url.host,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(message.body),
      'User-Agent': 'task-market-webhooks',
      ...message.headers,
    },
    // A separate connection, which ends with the answer.
    agent: false,
    signal,
    ...(isTls && { rejectUnauthorized: true, ...(isIP(name) === 0 && { servername: name }), ...(ca && { ca }) }),
  }
  return new Promise((resolve, reject) => {
    const request = (isTls ? requestHttps : requestHttp)(options, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        chunks.push(chunk)
        if (bytes <= ANSWER_BYTES_AT_MOST) return
        reject(new ReceiverRefused('the answer has more than 64 kB'))
        request.destroy()
      })
      response.on('end', () => {
        const { statusCode: status = 0 } = response
        resolve({ status, error: null, answer: Buffer.concat(chunks).toString('utf8') })
      })
      response.on('error', reject)
      response.on('close', () => reject(new ReceiverRefused('the answer ended early')))
    })
    // Without a listener neither an answer nor an error would report it.
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new ReceiverRefused('the answer changes the protocol'))
    })
    request.on('error', reject)
    request.end(message.body)
  })
}

/** Describes a failure for the webhook's owner: the error code of Node, without any IP address. */
function nameOf(error: unknown): string {
  if (error instanceof ReceiverRefused) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === '' ? 'the connection failed' : `the connection failed: ${code}`
}
