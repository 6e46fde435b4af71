import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { secp256k1 } from '@noble/curves/secp256k1'
import type { Hex } from 'viem'

/** A request to a stand-in, as it was sent. */
export interface SignerRequest {
  method: string
  /** With its query. */
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** An answer; a refusal has another status than 200. */
export interface SignerAnswer {
  status: number
  body: string
  headers?: Record<string, string>
}

/** What a stand-in does with requests: `hangs`: takes them and never answers. */
export type SignerMode = 'answers' | 'hangs'

/** A stand-in for a signer, on this machine. */
export interface SignerServer {
  url: string
  /** Changes what it does from the next request on. */
  setMode(mode: SignerMode): void
  /** Every request, in order. */
  requests: readonly SignerRequest[]
  stop(): Promise<void>
}

/** Serves requests by a function that checks them: a request which the real server would refuse is refused. */
export async function serveSigner(answer: (request: SignerRequest) => SignerAnswer): Promise<SignerServer> {
  const requests: SignerRequest[] = []
  let mode: SignerMode = 'answers'
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, body: await text(incoming) }
    requests.push(request)
    if (mode === 'hangs') return
    const { status, body, headers: more = {} } = answer(request)
    outgoing.writeHead(status, { 'Content-Type': 'application/json', ...more }).end(body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setMode: (next) => {
      mode = next
    },
    requests,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The public key of a private one, as node:crypto has it. */
export function publicKeyOf(privateKey: Hex): KeyObject {
  const point = Buffer.from(secp256k1.getPublicKey(privateKey.slice(2), false))
  const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const d = toText(Buffer.from(privateKey.slice(2), 'hex'))
  const jwk = { kty: 'EC', crv: 'secp256k1', d, x: toText(point.subarray(1, 33)), y: toText(point.subarray(33)) }
  return createPublicKey(createPrivateKey({ key: jwk, format: 'jwk' }))
}

/** Signs a digest; `s` is of the upper half every second time, as that of a KMS may be. */
export function createDigestSigner(privateKey: Hex) {
  let signed = 0
  return (digest: Uint8Array) => {
    const { r, s, recovery } = secp256k1.sign(digest, privateKey.slice(2), { lowS: true })
    signed += 1
    const isHigh = signed % 2 === 1
    const signature = new secp256k1.Signature(r, isHigh ? secp256k1.CURVE.n - s : s)
    return { signature, recovery: isHigh ? 1 - recovery : recovery }
  }
}
