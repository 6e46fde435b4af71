import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GRANT_LIFETIME_SECONDS, isAccessGrant, mintAccessGrant } from '../../../../api/identity/access-grant.ts'
import { byDepth } from '../../../support/depth.ts'

const secret = 'a secret of the tests, long enough'
const subject = { taskId: `0x${'ab'.repeat(32)}`, passwordVersion: 'salt-1' } as const
const now = 1_900_000_000n
const { grant, expiresAt } = mintAccessGrant(secret, subject, now)

test('given a grant, then it is valid for 24 hours: until its end, not at it', () => {
  expect(expiresAt).toBe(now + 86_400n)
  expect(GRANT_LIFETIME_SECONDS).toBe(86_400n)
  for (const time of [now, expiresAt - 1n]) expect(isAccessGrant(secret, grant, subject, time)).toBe(true)
  for (const time of [expiresAt, expiresAt + 1n]) expect(isAccessGrant(secret, grant, subject, time)).toBe(false)
})

test('given another task, password or service, then it is invalid', () => {
  const others = [
    { ...subject, taskId: `0x${'ac'.repeat(32)}` as const },
    { ...subject, passwordVersion: 'salt-2' },
    { ...subject, passwordVersion: '' },
  ]
  for (const other of others) expect(isAccessGrant(secret, grant, other, now)).toBe(false)
  expect(isAccessGrant(`${secret}.`, grant, subject, now)).toBe(false)
})

test('given another process with the secret, then it is valid there', () => {
  expect(mintAccessGrant(secret, subject, now)).toEqual({ grant, expiresAt })
})

test('given any change of a character, then it is invalid', () => {
  fc.assert(
    fc.property(fc.nat(grant.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (place, character) => {
      const forged = grant.slice(0, place) + character + grant.slice(place + 1)
      expect(isAccessGrant(secret, forged, subject, now)).toBe(forged === grant)
    }),
    { numRuns: byDepth(100, 2_000) },
  )
})

test('given another end or another encoding, then it is invalid', () => {
  const [version, end, mac = ''] = grant.split('.')
  const forged = [
    `${version}.${Number(end) + 1}.${mac}`,
    `${version}.0${end}.${mac}`,
    `2.${end}.${mac}`,
    `${grant} `,
    `${grant}=`,
    grant.toUpperCase(),
    `${version}.${end}.`,
    `${version}.${end}.${mac.slice(1)}`,
    `${version}.99999999999999999999.${mac}`,
    `${version}.-1.${mac}`,
    '',
    '..',
    'null',
    '🦀',
    'x'.repeat(100_000),
  ]
  for (const text of [...forged, undefined]) expect(isAccessGrant(secret, text, subject, now)).toBe(false)
})

test('given hostile texts, then they are invalid, without an error', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isAccessGrant(secret, text, subject, now)))
})
