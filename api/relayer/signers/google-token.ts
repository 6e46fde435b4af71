import { sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CloudEnvironment } from '../../../settings/cloud-environment.ts'
import { exchangeHttp, parseAnswer, textOf } from './exchange-http.ts'
import { SignerUnavailable } from './relayer.ts'

/** Returns a valid access token. @throws SignerUnavailable */
export type FindGoogleToken = (signal: AbortSignal) => Promise<string>

/** The margin in milliseconds: the service renews a token this long before the token expires. */
const RENEWAL_MARGIN_MS = 60_000
/** The lifetime of a signed assertion, in seconds. This is the longest lifetime that Google accepts. */
const ASSERTION_SECONDS = 3_600
const SCOPE = 'https://www.googleapis.com/auth/cloudkms'
const SERVER = 'the source of Google tokens'

/**
 * Creates the source of Google access tokens. The source is the service account in the file
 * GOOGLE_APPLICATION_CREDENTIALS, or else the machine's metadata server. A token is cached until a minute before its
 * expiry.
 * @param now returns Unix milliseconds
 */
export function createGoogleTokens(environment: CloudEnvironment, now = Date.now): FindGoogleToken {
  const { GOOGLE_APPLICATION_CREDENTIALS: file, GCE_METADATA_HOST: host = 'metadata.google.internal' } = environment
  let held: { token: string; until: number } | null = null
  return async (signal) => {
    if (held !== null && now() < held.until) return held.token
    const askedAt = now()
    const text = await (file === undefined ? askMetadata(host, signal) : askForAccount(file, signal, askedAt))
    const answer = parseAnswer(SERVER, text)
    const token = textOf(SERVER, answer, 'access_token')
    held = { token, until: askedAt + Number(answer.expires_in) * 1_000 - RENEWAL_MARGIN_MS }
    return token
  }
}

async function askMetadata(host: string, signal: AbortSignal): Promise<string> {
  const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`
  return await exchangeHttp({ server: SERVER, url, headers: { 'Metadata-Flavor': 'Google' } }, signal)
}

/** Requests a token with an assertion that is signed by the service account's key (RFC 7523). */
async function askForAccount(file: string, signal: AbortSignal, now: number): Promise<string> {
  const account = readAccount(file)
  const issuedAt = Math.floor(now / 1_000)
  const claims = {
    iss: account.email,
    scope: SCOPE,
    aud: account.tokenUrl,
    iat: issuedAt,
    exp: issuedAt + ASSERTION_SECONDS,
  }
  const parts = [{ alg: 'RS256', typ: 'JWT', kid: account.keyId }, claims].map(toBase64Url)
  const signature = sign('sha256', Buffer.from(parts.join('.')), account.privateKey).toString('base64url')
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: [...parts, signature].join('.'),
  })
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const request = { server: SERVER, url: account.tokenUrl, method: 'POST', headers, body: form.toString() } as const
  return await exchangeHttp(request, signal)
}

function readAccount(file: string) {
  const what = 'the file of GOOGLE_APPLICATION_CREDENTIALS'
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new SignerUnavailable(`${what} cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
  const account = parseAnswer(what, text)
  if (account.type !== 'service_account') throw new SignerUnavailable(`${what} is not that of a service account`)
  const [email, keyId, privateKey, tokenUrl] = ['client_email', 'private_key_id', 'private_key', 'token_uri'].map(
    (name) => textOf(what, account, name),
  ) as [string, string, string, string]
  return { email, keyId, privateKey, tokenUrl }
}

function toBase64Url(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
