import fc from 'fast-check'
import { type Hex, isAddressEqual, numberToHex, pad, parseSignature, recoverAddress, serializeSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { isSignedByKey } from '../../../api/chain/key-signature.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const word = fc.bigInt({ min: 1n, max: ORDER - 1n }).map((value) => pad(numberToHex(value)))
const aDigest = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)

/** What viem says of a signature. */
async function isSignedByViem(address: Hex, digest: Hex, signature: Hex): Promise<boolean> {
  try {
    return isAddressEqual(await recoverAddress({ hash: digest, signature }), address)
  } catch {
    return false
  }
}

test('given any key and digest, then its signature is its own, and of no other digest and with no other parity', async () => {
  await fc.assert(
    fc.asyncProperty(word, aDigest, aDigest, async (key, digest, other) => {
      fc.pre(digest !== other)
      const account = privateKeyToAccount(key)
      const signature = await account.sign({ hash: digest })
      expect(isSignedByKey(account.address, digest, signature)).toBe(true)
      expect(isSignedByKey(account.address, other, signature)).toBe(false)
      const twin = `${signature.slice(0, -2) as Hex}${signature.endsWith('1b') ? '1c' : '1b'}` as const
      expect(isSignedByKey(account.address, digest, twin)).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test('given any r and s, then the answer is that of viem, but no to the upper half of s', async () => {
  const edge = fc.constantFrom(0n, 1n, ORDER / 2n, ORDER / 2n + 1n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n)
  const value = fc.oneof(edge, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
  let agreed = 0
  await fc.assert(
    fc.asyncProperty(value, value, fc.constantFrom('1b', '1c'), aDigest, async (r, s, v, digest) => {
      const signature: Hex = `0x${numberToHex(r, { size: 32 }).slice(2)}${numberToHex(s, { size: 32 }).slice(2)}${v}`
      const signer = await recoverAddress({ hash: digest, signature }).catch(() => null)
      const expected = signer !== null && s <= ORDER / 2n
      if (expected) agreed += 1
      expect(isSignedByKey(signer ?? pad('0x01', { size: 20 }), digest, signature)).toBe(expected)
    }),
    { numRuns: 300 },
  )
  expect(agreed).toBeGreaterThan(20)
})

test.each([
  ['64 bytes', (signature: Hex): Hex => `0x${signature.slice(2, 130)}`],
  ['a parity of 0', (signature: Hex): Hex => `${signature.slice(0, -2) as Hex}00`],
  ['66 bytes', (signature: Hex): Hex => `${signature}00`],
  ['the malleable twin', malleableTwin],
  ['nothing', (): Hex => '0x'],
])('given %s, then it is no signature, whatever viem says', async (_, change) => {
  const account = privateKeyToAccount(pad('0x0a'))
  const digest = pad('0x0b')
  const signature = await account.sign({ hash: digest })
  expect(await isSignedByViem(account.address, digest, signature)).toBe(true)
  expect(isSignedByKey(account.address, digest, change(signature))).toBe(false)
})

function malleableTwin(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return serializeSignature({ r, s: numberToHex(ORDER - BigInt(s), { size: 32 }), yParity: 1 - yParity })
}
