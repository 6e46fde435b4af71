import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { findReceiptFault } from '../../../../api/domain/legal/receipt-fault.ts'
import { createReceiptToken, hashReceiptToken } from '../../../../api/domain/legal/receipt-token.ts'

const alice = `0x${'a1'.repeat(20)}` as const
const bob = `0x${'b0'.repeat(20)}` as const

describe('a receipt token', () => {
  test('given two, then they differ, and the hash is sha-256 of the text', () => {
    const tokens = Array.from({ length: 100 }, createReceiptToken)
    expect(new Set(tokens).size).toBe(100)
    for (const token of tokens) {
      expect(token).toMatch(/^[\x21-\x7e]+$/)
      expect(hashReceiptToken(token)).toEqual(createHash('sha256').update(token).digest())
    }
  })

  const token = createReceiptToken()
  test.each([
    ['nothing', ''],
    ['another kind of token', `grant_${token.slice(6)}`],
    ['one character too few', token.slice(0, -1)],
    ['one character too many', `${token}A`],
    ['a character of the other base64', `${token.slice(0, -1)}+`],
    ['a line more', `${token}\n`],
    ['a megabyte', 'legal_'.padEnd(1_000_000, 'A')],
  ])('given %s, then it is refused', (_what, text) => {
    expect(hashReceiptToken(text)).toBeNull()
  })
})

describe('an acceptance', () => {
  const acceptance = {
    wallet: alice,
    bundleVersion: '1',
    bundleDigest: 'sha256:aa',
    acceptedAt: '2030-01-01T00:00:00.000Z',
  }
  test.each([
    ['its own wallet', 'sha256:aa', alice, null],
    ['a wallet not known yet', 'sha256:aa', null, null],
    ['another wallet', 'sha256:aa', bob, 'other_wallet'],
    ['another bundle', 'sha256:bb', alice, 'other_bundle'],
    ['another bundle, the wallet not known yet', 'sha256:bb', null, 'other_bundle'],
  ])('given %s, then it is refused or admitted as documented', (_what, bundleDigest, wallet, fault) => {
    expect(findReceiptFault(acceptance, { bundleDigest, wallet })).toBe(fault)
  })
})
