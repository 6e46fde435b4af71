import type { Context } from 'hono'
import type { Hex } from 'viem'
import { answerTagged } from '../http/tagged-answer.ts'
import type { ResponseContract } from './define-route.ts'

const text = { contentType: 'text/plain; charset=utf-8', encoding: 'abi-encoded-bytes' }

/**
 * The formats of the bytes that the service serves and whose hashes are on chain. There is one format for each kind of
 * bytes. See the specification, "Content verification (raw bytes)".
 */
const formats = {
  manifest: {
    commitmentHeader: 'X-Deliverable-Hash',
    contentType: 'application/json; charset=utf-8',
    encoding: 'json-utf8',
  },
  pitch: { commitmentHeader: 'X-Pitch-Hash', ...text },
  proof: { commitmentHeader: 'X-Proof-Hash', ...text },
} as const
type PreimageKind = keyof typeof formats

/** The bytes whose hash is stored on chain, the hash, and the transaction that stored the hash. */
export interface Preimage {
  body: string
  hash: Hex
  transactionHash: Hex
}

/** Returns the OpenAPI contract of the response 200 of a route that serves bytes whose hash is on chain. */
export function preimageResponse(kind: PreimageKind, description: string): ResponseContract {
  const { contentType, encoding, commitmentHeader } = formats[kind]
  return {
    description,
    contentType,
    headers: {
      'X-Hash-Function': 'Always `keccak256`.',
      'X-Preimage-Encoding': `Always \`${encoding}\`.`,
      [commitmentHeader]: 'The commitment on chain.',
      'X-Submit-Tx-Hash': 'The transaction that committed it.',
    },
  }
}

/** Answers with the exact bytes whose hash is on chain, and with headers by which a client can verify the bytes. */
export function answerPreimage(c: Context, kind: PreimageKind, { body, hash, transactionHash }: Preimage): Response {
  const { contentType, encoding, commitmentHeader } = formats[kind]
  return answerTagged(c, body, {
    'Content-Type': contentType,
    'X-Hash-Function': 'keccak256',
    'X-Preimage-Encoding': encoding,
    [commitmentHeader]: hash,
    'X-Submit-Tx-Hash': transactionHash,
  })
}
