import { randomUUID } from 'node:crypto'
import { type Actor, expiringReadHeadersOf } from './actors.ts'
import { type PublishedContract, type PublishedDocument, publishedContract } from './conformance-contract.ts'

/** An answer of the service. `body` is parsed where it is JSON, else null. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any
}

/** Options of a request besides its path. */
export interface RequestOptions {
  /** Sends the read-identity headers of this wallet. */
  as?: Actor
  headers?: Record<string, string>
}

export interface PostOptions extends RequestOptions {
  /** A text is sent unchanged; absent: no body. */
  body?: unknown
  /** The idempotency key; a new one unless given, no header when null. */
  key?: string | null
  /** `PAYMENT-SIGNATURE`. */
  payment?: string
}

/** A client of the service. Every answer is checked against `/openapi.json`. */
export interface Http {
  baseUrl: string
  /** The global `fetch`, with every answer checked against the document. */
  fetch: typeof fetch
  /** Paths are relative to `/api`. */
  get(path: string, options?: RequestOptions): Promise<Answer>
  /** One round: nothing is paid unless `payment` is given. */
  post(path: string, options?: PostOptions): Promise<Answer>
}

/**
 * A client of the service at `baseUrl`. The document is fetched with the first request. Paths are below `root`; `now`
 * is the time at which read identities are signed, Unix seconds, the host's unless given.
 */
export function openHttp(
  baseUrl: string,
  { root = '/api', now = hostSeconds }: { root?: '/api' | '/trpc'; now?: () => Promise<bigint> } = {},
): Http {
  const identityOf = async (actor: Actor | undefined) =>
    actor === undefined ? {} : await expiringReadHeadersOf(actor, { baseUrl, now: await now() })
  let contract: Promise<PublishedContract> | null = null
  const checkedFetch: typeof fetch = async (input, init) => {
    contract ??= fetchContract(baseUrl)
    const request = new Request(input, init)
    const { method, url } = request
    const response = await fetch(request)
    // A copy: the body can be read once, and the caller reads it.
    const text = await response.clone().text()
    const { status, headers } = response
    ;(await contract).check({ method, path: new URL(url).pathname, status, headers, text })
    return response
  }
  const send = async (path: string, init: RequestInit) =>
    await toAnswer(await checkedFetch(`${baseUrl}${root}${path}`, init))
  return {
    baseUrl,
    fetch: checkedFetch,
    get: async (path, { as, headers } = {}) => send(path, { headers: { ...(await identityOf(as)), ...headers } }),
    post: async (path, options = {}) =>
      send(path, {
        method: 'POST',
        headers: { ...(await identityOf(options.as)), ...headersOf(options) },
        ...(options.body !== undefined && { body: textOf(options.body) }),
      }),
  }
}

/** Contracts by their documents: compiling the schemas takes a second, and all files of a run share the document. */
const contracts = new Map<string, PublishedContract>()

async function fetchContract(baseUrl: string): Promise<PublishedContract> {
  const text = await (await fetch(`${baseUrl}/openapi.json`)).text()
  const contract = contracts.get(text) ?? publishedContract(JSON.parse(text) as PublishedDocument)
  contracts.set(text, contract)
  return contract
}

function headersOf({ body, key = randomUUID(), payment, headers }: PostOptions) {
  return {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== null && { 'X-Service-Idempotency-Key': key }),
    ...(payment !== undefined && { 'PAYMENT-SIGNATURE': payment }),
    ...headers,
  }
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
}

async function hostSeconds(): Promise<bigint> {
  return BigInt(Math.floor(Date.now() / 1000))
}
