import type { Context } from 'hono'
import type { Hex } from 'viem'
import { answerTagged } from '../http/tagged-answer.ts'
import type { ResponseContract } from './define-route.ts'

const text = { contentType: 'text/plain; charset=utf-8', encoding: 'abi-encoded-bytes' }

/** What is hashed on chain, and how it is served. Spec, "Content verification (raw bytes)". */
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

/** The bytes behind a commitment, and where it stands on chain. */
export interface Preimage {
  body: string
  hash: Hex
  transactionHash: Hex
}

/** What a route that answers preimages of a kind says of its 200. */
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

/** The bytes as they are, with the headers that tell how to check them. */
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
