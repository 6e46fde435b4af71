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

/** The parts of the process that are needed to identify callers. */
export interface CallerDeps {
  config: Pick<Config, 'SERVICE_NAME' | 'PUBLIC_BASE_URL' | 'URL_SIGNING_SECRET'>
  log: Logger
  sql: Database
  chain: SignatureChain & Pick<Chain, 'head' | 'clocks'>
  deployment: Deployment
}

/** The caller of a request. Each fact is computed at its first use, and only once. */
export interface Caller {
  /**
   * Returns the lower-case address that signed the read-identity headers. Returns null (anonymous) if the headers are
   * absent, malformed or wrong. See the specification, "Authentication" 5.
   *
   * The signed text is `<service>:read:<lowercaseAddress>`. With the header Read-Expires, it is
   * `<service>:read:<chainId>:<host>:<lowercaseAddress>:<expires>`.
   * @throws ServiceError 401 if Read-Expires is malformed, expired or too far ahead
   */
  address(): Promise<Address | null>
  /**
   * Returns the time at which the caller's signature expires, in Unix seconds. Returns null if the caller is anonymous
   * or the signature never expires.
   */
  end(): Promise<bigint | null>
  /**
   * Returns the device with these credentials (specification, "Authentication" 6). If `credentials` has no token, the
   * token is read from its HTTP header. Returns null for an unknown device or a wrong token. Check `isVerified` and
   * `isActive` for the rights of the device.
   */
  device(credentials: DeviceCredentials): Promise<Device | null>
  /**
   * Returns true if the request has a grant for this task (specification, "Authentication" 7). A grant permits reading
   * only.
   * @param now timestamp of the latest block, in Unix seconds
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

/**
 * Creates the middleware that lets later code verify the read-identity headers (signed headers that prove who reads).
 * All requests share one cache of results. The number of wrong signatures of each client is limited.
 */
export function identifyCallers(clientIp: ClientIpReader, wrongSignaturesPerMinute: number): MiddlewareHandler {
  const checkReadClaim = createReadClaimCheck({ wrongPerMinute: wrongSignaturesPerMinute })
  return async (c, next) => {
    c.set('checkReadClaim', checkReadClaim)
    c.set('clientIp', clientIp)
    await next()
  }
}

/**
 * Returns the caller's address from the read-identity headers (signed headers that prove who reads), or null if the
 * caller is anonymous.
 */
export function callerOf(c: Context, deps: CallerDeps): Promise<Address | null> {
  return identify(c, deps).address()
}

/** Returns the caller of a request. Repeated calls for the same request return the same object. */
export function identify(c: Context, deps: CallerDeps): Caller {
  const cachedCaller = c.get('caller')
  if (cachedCaller !== undefined) return cachedCaller
  const names = serviceHeaderNames(deps.config.SERVICE_NAME)
  const devices = new Map<string, Promise<Device | null>>()
  let claim: Promise<ReadClaim | null> | undefined
  const readClaimOnce = () => {
    claim ??= readClaim(c, deps)
    return claim
  }
  const caller: Caller = {
    address: async () => (await readClaimOnce())?.address ?? null,
    end: async () => (await readClaimOnce())?.expires ?? null,
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
 * Returns the time at which a caller's event stream must end, in Unix seconds. A stream ends when the caller's
 * signature expires. If the caller is a contract wallet, the stream ends after at most 300 seconds, because the
 * contract can revoke its signature. Returns null if the stream may run without end.
 */
export async function findStreamEnd(c: Context, deps: CallerDeps): Promise<bigint | null> {
  const caller = identify(c, deps)
  const [address, end] = await Promise.all([caller.address(), caller.end()])
  // Without a node no contract was called, so the caller has a key or was verified before.
  if (address === null || !(await deps.chain.hasCode(address).catch(() => false))) return end
  const again = (await deps.chain.head()).timestamp + BigInt(VERDICT_LIFETIME_SECONDS)
  return end === null || again < end ? again : end
}

/** Returns the identity that the request's headers claim, if its signature is valid. Otherwise returns null. */
async function readClaim(c: Context, deps: CallerDeps): Promise<ReadClaim | null> {
  const onUnknown = (error: unknown) =>
    deps.log.warn({ requestId: c.get('requestId'), err: error }, 'read identity check failed')
  const end = c.req.header(serviceHeaderNames(deps.config.SERVICE_NAME).readExpires)?.trim()
  const expires = end === undefined ? undefined : await readEnd(deps, end, onUnknown)
  if (end !== undefined && expires == null) return null
  const claimFields = sentClaim(c, deps)
  if (claimFields === null) return null
  const claim: ReadClaim = { ...claimFields, ...(expires != null && { expires }) }
  const isGenuine = await c.get('checkReadClaim')(claim, {
    client: c.get('clientIp')(c),
    verify: async () => {
      const takenSignature = await takeSignature(deps.chain, { ...claimFields, message: readMessage(deps, claim) })
      return takenSignature.problem === 'wallet_not_deployed' ? null : takenSignature.problem === undefined
    },
    onUnknown,
  })
  return isGenuine ? claim : null
}

/**
 * Returns the address and signature in the read-identity headers, or null if they are absent or malformed. The
 * signature is not verified here.
 */
function sentClaim(c: Context, { config }: Pick<CallerDeps, 'config'>): ReadClaim | null {
  const names = serviceHeaderNames(config.SERVICE_NAME)
  return parseReadClaim(c.req.header(names.callerAddress)?.trim(), c.req.header(names.callerSignature)?.trim())
}

/**
 * Returns the error 401 for an anonymous request to a route that needs a caller. If the headers name a contract wallet
 * that is not deployed, the message says so. Otherwise the message is `sentence`. Example: `throw await
 * anonymousRefusal(c, deps, 'Say who asks: send the read-identity headers.')`.
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
 * Parses the expiry of a read identity from the header Read-Expires. Returns null if no node returned the chain's time.
 * The expiry cannot be checked then.
 * @throws ServiceError 401 if the expiry is malformed, in the past, or further ahead than allowed
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

/**
 * Returns the message that a wallet signs to prove who reads. A message with an expiry is valid only for this chain and
 * host.
 */
function readMessage({ config, deployment }: CallerDeps, { address, expires }: ReadClaim): SignedMessage {
  const { SERVICE_NAME, PUBLIC_BASE_URL } = config
  if (expires === undefined) return toSignedMessage(SERVICE_NAME, lastingReadText(address))
  const place = { chainId: deployment.chainId, host: new URL(PUBLIC_BASE_URL).host }
  return toSignedMessage(SERVICE_NAME, readIdentityText(place, { wallet: address, expires }))
}
