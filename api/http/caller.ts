import type { Context, MiddlewareHandler } from 'hono'
import { LRUCache } from 'lru-cache'
import type { Address, Hex } from 'viem'
import type { Deps } from '../deps.ts'

/** Known verdicts on (address, signature) pairs: the message is constant per address, so they stay true. */
const CACHED_VERDICTS = 20_000
/** A contract wallet may change its mind about a signature. */
const VERDICT_LIFETIME_MS = 5 * 60_000
/** A wallet's signature may be longer than an account's 65 bytes; this bounds the work a header can ask for. */
const MAX_SIGNATURE_BYTES = 1024

declare module 'hono' {
  interface ContextVariableMap {
    callerVerdicts: LRUCache<string, boolean>
  }
}

/** Gives the requests of an app one memory of verified callers. */
export function rememberCallers(): MiddlewareHandler {
  const verdicts = new LRUCache<string, boolean>({ max: CACHED_VERDICTS, ttl: VERDICT_LIFETIME_MS })
  return async (c, next) => {
    c.set('callerVerdicts', verdicts)
    await next()
  }
}

/**
 * Who reads: the address whose signature over `<service>:read:<lowercaseAddress>` stands in the read-identity headers
 * (Spec, "Authentication" 5). Absent, malformed and wrong headers alike are an anonymous caller: null, never an error.
 */
export async function callerOf(c: Context, deps: Deps): Promise<Address | null> {
  const headers = callerHeaderNames(deps.config.SERVICE_NAME)
  const address = c.req.header(headers.address)?.trim().toLowerCase()
  const signature = c.req.header(headers.signature)?.trim().toLowerCase()
  if (!isAddress(address) || !isSignature(signature)) return null

  const verdicts = c.get('callerVerdicts')
  const pair = `${address}:${signature}`
  const known = verdicts.get(pair)
  if (known !== undefined) return known ? address : null
  const message = `${deps.config.SERVICE_NAME}:read:${address}`
  try {
    const genuine = await deps.chain.verifyMessage({ address, message, signature })
    verdicts.set(pair, genuine)
    return genuine ? address : null
  } catch (error) {
    deps.log.warn({ err: error, requestId: c.get('requestId') }, 'could not check a read identity')
    return null
  }
}

/** The names of the read-identity headers of a service. */
export function callerHeaderNames(serviceName: string): { address: string; signature: string } {
  const prefix = `X-${serviceName.charAt(0).toUpperCase()}${serviceName.slice(1)}-Caller`
  return { address: `${prefix}-Address`, signature: `${prefix}-Signature` }
}

function isAddress(text: string | undefined): text is Address {
  return text !== undefined && /^0x[0-9a-f]{40}$/.test(text)
}

function isSignature(text: string | undefined): text is Hex {
  return text !== undefined && text.length <= 2 + 2 * MAX_SIGNATURE_BYTES && /^0x(?:[0-9a-f]{2}){64,}$/.test(text)
}
