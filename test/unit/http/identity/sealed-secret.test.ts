import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { keySecrets, openSecret, sealSecret } from '../../../../api/identity/sealed-secret.ts'

const URL_SIGNING_SECRET = 'the secret of signed URLs, long enough'
const old = 'the first secret of device keys, long enough'
const present = 'the second secret of device keys, long enough'
const device = { purpose: 'device-encryption-key', id: randomUUID() } as const
const key = randomBytes(32)

test('given a sealed key, then it opens again, and no two seals are equal', () => {
  const seals = [sealSecret(present, device, key), sealSecret(present, device, key)]
  for (const seal of seals) {
    expect(openSecret([present], device, seal)).toEqual(key)
    expect(seal.includes(key)).toBe(false)
  }
  expect(seals[0]).not.toEqual(seals[1])
})

test('given a new secret in front, then keys sealed with the old ones still open', () => {
  const withoutOne = keySecrets({ DEVICE_KEY_SECRET: [], URL_SIGNING_SECRET })
  const first = keySecrets({ DEVICE_KEY_SECRET: [old], URL_SIGNING_SECRET })
  const second = keySecrets({ DEVICE_KEY_SECRET: [present, old], URL_SIGNING_SECRET })
  expect([withoutOne[0], first[0], second[0]]).toEqual([URL_SIGNING_SECRET, old, present])
  for (const [secret] of [withoutOne, first, second]) {
    expect(openSecret(second, device, sealSecret(secret, device, key))).toEqual(key)
  }
})

test('given another secret, another device, another use or any change, then it does not open', () => {
  const seal = sealSecret(present, device, key)
  expect(() => openSecret([old, URL_SIGNING_SECRET], device, seal)).toThrow(/DEVICE_KEY_SECRET/)
  expect(() => openSecret([present], { ...device, id: randomUUID() }, seal)).toThrow(/no secret opens/)
  expect(() => openSecret([present], { ...device, purpose: 'webhook-secret' }, seal)).toThrow(/no secret opens/)
  for (let place = 0; place < seal.length; place += 1) {
    const changed = Buffer.from(seal)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(() => openSecret([present], device, changed)).toThrow(/no secret opens/)
  }
  for (const length of [0, 1, 12, 13, 20, 29, seal.length - 1]) {
    expect(() => openSecret([present], device, seal.subarray(0, length))).toThrow(/no secret opens/)
  }
})
