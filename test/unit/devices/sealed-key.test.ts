import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { keySecrets, openKey, sealKey } from '../../../api/features/devices/sealed-key.ts'

const URL_SIGNING_SECRET = 'the secret of signed URLs, long enough'
const old = 'the first secret of device keys, long enough'
const present = 'the second secret of device keys, long enough'
const id = randomUUID()
const key = randomBytes(32)

test('given a sealed key, then it opens again, and no two seals are equal', () => {
  const seals = [sealKey(present, id, key), sealKey(present, id, key)]
  for (const seal of seals) {
    expect(openKey([present], id, seal)).toEqual(key)
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
    expect(openKey(second, id, sealKey(secret, id, key))).toEqual(key)
  }
})

test('given another secret, another device or any change, then it does not open', () => {
  const seal = sealKey(present, id, key)
  expect(() => openKey([old, URL_SIGNING_SECRET], id, seal)).toThrow(/DEVICE_KEY_SECRET/)
  expect(() => openKey([present], randomUUID(), seal)).toThrow(/no secret opens/)
  for (let place = 0; place < seal.length; place += 1) {
    const changed = Buffer.from(seal)
    changed[place] = (changed[place] ?? 0) ^ 1
    expect(() => openKey([present], id, changed)).toThrow(/no secret opens/)
  }
  for (const length of [0, 1, 12, 13, 20, 29, seal.length - 1]) {
    expect(() => openKey([present], id, seal.subarray(0, length))).toThrow(/no secret opens/)
  }
})
