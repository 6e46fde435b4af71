import {
  concatHex,
  type Hex,
  hashMessage,
  pad,
  parseSignature,
  serializeCompactSignature,
  serializeErc6492Signature,
  signatureToCompactSignature,
  toHex,
} from 'viem'
import { describe, expect, it, test } from 'vitest'
import { toComparedSignature, toUsableSignature, unwrapSignature } from '../../../api/chain/signature-forms.ts'
import { takeSignature } from '../../../api/chain/take-signature.ts'
import { anActor } from '../../support/actors.ts'

const { account, address } = anActor()
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const message = 'service:read:0x77'
const signature = await account.signMessage({ message })
const usable = (given: Hex) => toUsableSignature({ address, digest: () => hashMessage(message), signature: given })
const wrap = (inner: Hex) => serializeErc6492Signature({ address, data: '0x1234', signature: inner })

/** The key's signature in its other forms. */
const parity = signature.endsWith('1b') ? '00' : '01'
const zeroOrOne = `${signature.slice(0, -2)}${parity}` as Hex
const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
const { r, s } = parseSignature(signature)
const twin = concatHex([r, pad(toHex(ORDER - BigInt(s))), parity === '00' ? '0x1c' : '0x1b'])
const highZeroOrOne = `${twin.slice(0, -2)}${parity === '00' ? '01' : '00'}` as Hex

test.each([
  ['v 27 or 28', signature],
  ['v 0 or 1', zeroOrOne],
  ['64 bytes (EIP-2098)', compact],
  ['an envelope', wrap(signature)],
  ['an envelope around 64 bytes', wrap(compact)],
])('given a key’s signature with %s, then the form that the contracts take is used, and all are equal', (_, given) => {
  expect(usable(given).signature).toBe(signature)
  expect(toComparedSignature(given)).toBe(signature)
})

test.each([
  ['its malleable twin', twin],
  ['the twin with v 0 or 1', highZeroOrOne],
  ['an empty one', '0x' as Hex],
  ['a passkey’s of 700 bytes', `0x${'ab'.repeat(700)}` as Hex],
  ['64 bytes that a contract reads in its own way', `0x${'12'.repeat(64)}` as Hex],
])('given %s, then its bytes stay as they are', (_, given) => {
  expect(usable(given)).toEqual({ signature: given, isWrapped: false })
})

describe('an envelope of ERC-6492', () => {
  it('given around any inner signature, then that one is left', () => {
    for (const inner of ['0x', '0x12', `0x${'AB'.repeat(3_800)}`] as const) {
      expect(unwrapSignature(wrap(inner))).toEqual({ signature: inner.toLowerCase(), isWrapped: true })
    }
  })

  it('given two, then the outer one is removed', () => {
    expect(unwrapSignature(wrap(wrap('0x12')))).toEqual({ signature: wrap('0x12'), isWrapped: true })
  })

  it('given its end without what an envelope has, then it is none', () => {
    const broken = `0x${'ff'.repeat(10)}${'6492'.repeat(16)}` as const
    expect(unwrapSignature(broken)).toEqual({ signature: broken, isWrapped: false })
    expect(toComparedSignature('signed 6492')).toBe('signed 6492')
  })
})

describe('a signature that is taken', () => {
  /** An account whose code accepts one signature. */
  const chainWith = (code: boolean, accepted: Hex) => ({
    hasCode: async () => code,
    verifyMessage: async (signed: { signature: Hex }) => signed.signature === accepted,
    verifyTypedData: async () => false,
  })

  test.each([
    ['deployed, in an envelope', true, wrap('0x1234'), { signature: '0x1234' }],
    ['deployed, bare', true, '0x1234' as Hex, { signature: '0x1234' }],
    ['deployed, another inner one', true, wrap('0x99'), { problem: 'signature_invalid' }],
    ['not deployed, in an envelope', false, wrap('0x1234'), { problem: 'wallet_not_deployed' }],
    ['not deployed, another bare one', false, '0x99' as Hex, { problem: 'signature_invalid' }],
  ])('given a wallet that is %s, then it is judged so', async (_, code, given, expected) => {
    expect(await takeSignature(chainWith(code, '0x1234'), { address, message, signature: given })).toEqual(expected)
  })

  test('given a key’s account that delegates (EIP-7702), in an envelope, then its key’s signature is used', async () => {
    const taken = await takeSignature(chainWith(true, signature), { address, message, signature: wrap(zeroOrOne) })
    expect(taken).toEqual({ signature })
  })
})
