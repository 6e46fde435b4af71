import type { Context, MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { Address } from 'viem'
import { lastingReadText, readIdentityText } from '../../protocol/signed/account-texts.ts'
import { type SignedMessage, toSignedMessage } from '../../protocol/signed/signed-text.ts'
import { ends, judgeEnd, type WindowProblem } from '../../protocol/windows.ts'
import type { Chain } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import { unwrapSignature } from '../chain/signature-forms.ts'
import { NOT_DEPLOYED, type SignatureChain, takeSignature } from '../chain/take-signature.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import { ServiceError } from '../errors/service-error.ts'
import { serviceHeaderNames } from '../http/header-names.ts'
import { type GrantSubject, isAccessGrant } from './access-grant.ts'
import type { ClientIpReader } from './client-ip.ts'
import { authenticateDevice, type Device, type DeviceCredentials } from './device-auth.ts'
import {
  type CheckReadClaim,
  createReadClaimCheck,
  parseReadClaim,
  type ReadClaim,
  VERDICT_LIFETIME_SECONDS,
} from './read-identity.ts'

/** The parts of the process that identify the caller. */
export interface CallerDeps {
  config: Pick<Config, 'SERVICE_NAME' | 'PUBLIC_BASE_URL' | 'URL_SIGNING_SECRET'>
  log: Logger
  sql: Database
  chain: SignatureChain & Pick<Chain, 'head' | 'clocks'>
  deployment: Deployment
}

/** The caller of a request. Each part is computed on first use, once. */
export interface Caller {
  /**
   * The address whose signature is in the read-identity headers, lower case. The text is
   * `<service>:read:<lowercaseAddress>` (Spec, "Authentication" 5), or with a Read-Expires header
   * `<service>:read:<chainId>:<host>:<lowercaseAddress>:<expires>`. Null (anonymous) for absent, malformed and wrong
   * headers alike.
   * @throws ServiceError 401 for a Read-Expires header that is malformed, expired or too far ahead
   */
  address(): Promise<Address | null>
  /** The end of that signature, Unix seconds of the chain; null without an end or signature. */
  end(): Promise<bigint | null>
  /**
   * Returns the device of these credentials (Spec, "Authentication" 6); a missing token is taken from its header. Null
   * for an unknown device and for a wrong token. `isVerified` and `isActive` decide its rights.
   */
  device(credentials: DeviceCredentials): Promise<Device | null>
  /**
   * Returns true if the request carries a grant for this task (Spec, "Authentication" 7). It permits viewing, never
   * acting.
   * @param now time of the chain head, Unix seconds
   */
  holdsGrant(subject: GrantSubject, now: bigint): boolean
}

declare module 'hono' {
  interface ContextVariableMap {
    checkReadClaim: CheckReadClaim
    clientIp: ClientIpReader
    caller: Caller | undefined
  }
}

/** Creates the middleware that shares one cache of verified callers, with a limit of wrong signatures per client. */
export function identifyCallers(clientIp: ClientIpReader, wrongSignaturesPerMinute: number): MiddlewareHandler {
  const checkReadClaim = createReadClaimCheck({ wrongPerMinute: wrongSignaturesPerMinute })
  return async (c, next) => {
    c.set('checkReadClaim', checkReadClaim)
    c.set('clientIp', clientIp)
    await next()
  }
}

/** Returns the reader by the read-identity headers; null: anonymous. */
export function callerOf(c: Context, deps: CallerDeps): Promise<Address | null> {
  return identify(c, deps).address()
}

/** Returns the caller of a request, one object per request. */
export function identify(c: Context, deps: CallerDeps): Caller {
  const cachedCaller = c.get('caller')
  if (cachedCaller !== undefined) return cachedCaller
  const names = serviceHeaderNames(deps.config.SERVICE_NAME)
  const devices = new Map<string, Promise<Device | null>>()
  let claim: Promise<ReadClaim | null> | undefined
  const claimed = () => {
    claim ??= readClaim(c, deps)
    return claim
  }
  const caller: Caller = {
    address: async () => (await claimed())?.address ?? null,
    end: async () => (await claimed())?.expires ?? null,
    device: ({ deviceId, apiToken = c.req.header(names.apiToken) }) => {
      const credentials = JSON.stringify([deviceId, apiToken])
      const device = devices.get(credentials) ?? authenticateDevice(deps.sql, { deviceId, apiToken })
      devices.set(credentials, device)
      return device
    },
    holdsGrant: (subject, now) =>
      isAccessGrant(deps.config.URL_SIGNING_SECRET, c.req.header(names.taskAccessGrant), subject, now),
  }
  c.set('caller', caller)
  return caller
}

/**
 * Returns the end of a caller's stream, Unix seconds of the chain; null: none. A wallet contract can revoke a
 * signature, so its stream ends when a request would verify it again.
 */
export async function findStreamEnd(c: Context, deps: CallerDeps): Promise<bigint | null> {
  const caller = identify(c, deps)
  const [address, end] = await Promise.all([caller.address(), caller.end()])
  // Without a node no contract was called, so the caller has a key or was verified before.
  if (address === null || !(await deps.chain.hasCode(address).catch(() => false))) return end
  const again = (await deps.chain.head()).timestamp + BigInt(VERDICT_LIFETIME_SECONDS)
  return end === null || again < end ? again : end
}

/** Returns the claim of the headers if its signature is genuine. */
async function readClaim(c: Context, deps: CallerDeps): Promise<ReadClaim | null> {
  const onUnknown = (error: unknown) =>
    deps.log.warn({ requestId: c.get('requestId'), err: error }, 'read identity check failed')
  const end = c.req.header(serviceHeaderNames(deps.config.SERVICE_NAME).readExpires)?.trim()
  const expires = end === undefined ? undefined : await readEnd(deps, end, onUnknown)
  if (end !== undefined && expires == null) return null
  const parsed = sentClaim(c, deps)
  if (parsed === null) return null
  const claim: ReadClaim = { ...parsed, ...(expires != null && { expires }) }
  const isGenuine = await c.get('checkReadClaim')(claim, {
    client: c.get('clientIp')(c),
    verify: async () => {
      const takenSignature = await takeSignature(deps.chain, { ...parsed, message: readMessage(deps, claim) })
      return takenSignature.problem === 'wallet_not_deployed' ? null : takenSignature.problem === undefined
    },
    onUnknown,
  })
  return isGenuine ? claim : null
}

/** Returns the address and signature of the headers if they are well-formed. */
function sentClaim(c: Context, { config }: Pick<CallerDeps, 'config'>): ReadClaim | null {
  const names = serviceHeaderNames(config.SERVICE_NAME)
  return parseReadClaim(c.req.header(names.callerAddress)?.trim(), c.req.header(names.callerSignature)?.trim())
}

/**
 * Returns the 401 of a route that needs a caller: `sentence`, or that the wallet of the headers is not deployed.
 *
 * Example: `throw await anonymousRefusal(c, deps, 'Say who asks: send the read-identity headers.')`.
 */
export async function anonymousRefusal(c: Context, deps: CallerDeps, sentence: string): Promise<ServiceError> {
  const claim = sentClaim(c, deps)
  const isWrapped = claim !== null && unwrapSignature(claim.signature).isWrapped
  // Without an answer of the node the general sentence stays.
  const isDeployed = !isWrapped || (await deps.chain.hasCode(claim.address).catch(() => true))
  return isDeployed
    ? new ServiceError(401, 'unclassified', sentence, { detail: 'identity_missing' })
    : new ServiceError(401, 'unclassified', NOT_DEPLOYED, { detail: 'wallet_not_deployed' })
}

/**
 * Parses the end of a claim from its header; null while the clocks are unknown.
 * @throws ServiceError 401 for an end that is malformed, past, or further ahead than a claim may last
 */
async function readEnd(
  { chain }: CallerDeps,
  text: string,
  onUnknown: (error: unknown) => void,
): Promise<bigint | null> {
  const field = 'X-Service-Read-Expires'
  if (!/^(?:0|[1-9][0-9]{0,19})$/.test(text)) {
    throw notNow({ detail: 'window_too_short', message: `${field} must be Unix seconds.` })
  }
  const expires = BigInt(text)
  const clocks = await chain.clocks().catch(onUnknown)
  if (clocks === undefined) return null
  const problem = judgeEnd(ends.readIdentity, expires, { clocks, field })
  if (problem !== null) throw notNow(problem)
  return expires
}

function notNow({ detail, message }: WindowProblem): ServiceError {
  return new ServiceError(401, 'unclassified', message, { detail })
}

/** Returns the text that a wallet signs to read as itself; with an end it holds for this service and host alone. */
function readMessage({ config, deployment }: CallerDeps, { address, expires }: ReadClaim): SignedMessage {
  const { SERVICE_NAME, PUBLIC_BASE_URL } = config
  if (expires === undefined) return toSignedMessage(SERVICE_NAME, lastingReadText(address))
  const place = { chainId: deployment.chainId, host: new URL(PUBLIC_BASE_URL).host }
  return toSignedMessage(SERVICE_NAME, readIdentityText(place, { wallet: address, expires }))
}
