import canonicalize from 'canonicalize'
import { type Hex, keccak256, stringToBytes } from 'viem'

/** A document as it is stored and hashed: the text, and keccak256 of its UTF-8 bytes. */
export interface HashedDocument {
  text: string
  hash: Hex
}

/**
 * The canonical JSON (RFC 8785: keys sorted at every level, no whitespace) of a document and its hash.
 * @throws for what JSON cannot hold: lone surrogates, NaN, cycles
 */
export function hashDocument(document: object): HashedDocument {
  const text = canonicalize(document)
  if (text === undefined) throw new Error('the document is not JSON')
  return { text, hash: keccak256(stringToBytes(text)) }
}
