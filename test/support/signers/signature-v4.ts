import { createHash, createHmac } from 'node:crypto'
import type { SignerRequest } from './signer-server.ts'

/** Difference of clocks that AWS admits, milliseconds. */
const MOST_SKEW_MS = 300_000

export interface ExpectedSignature {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  region: string
  service: string
}

/**
 * Verifies Signature Version 4 of a request from its parts, as AWS documents it.
 * @returns the name of the error that AWS answers, or null
 */
export function findSignatureFault(request: SignerRequest, expected: ExpectedSignature): string | null {
  const { headers, method, path, body } = request
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/
  const [, key, day = '', region = '', service = '', names = '', signature] =
    form.exec(headers.authorization ?? '') ?? []
  const time = String(headers['x-amz-date'])
  if (signature === undefined) return 'IncompleteSignatureException'
  if (key !== expected.accessKeyId) return 'UnrecognizedClientException'
  if (headers['x-amz-security-token'] !== expected.sessionToken) return 'UnrecognizedClientException'
  const isScope = region === expected.region && service === expected.service && time.startsWith(day)
  const sentAt = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const isSigned = ['host', 'x-amz-date', 'x-amz-target'].every((name) => names.split(';').includes(name))
  if (!isScope || !isSigned || !(Math.abs(Date.now() - sentAt) < MOST_SKEW_MS)) return 'InvalidSignatureException'
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, path, '', lines.join(''), names, sha256(body)].join('\n')
  const scope = [day, region, service, 'aws4_request'].join('/')
  const secret = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (previous, part) => hmac(previous, part),
    `AWS4${expected.secretAccessKey}`,
  )
  const right = hmac(secret, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex')
  return right === signature ? null : 'InvalidSignatureException'
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
