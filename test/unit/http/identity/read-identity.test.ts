import fc from 'fast-check'
import type { Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { type CheckReadClaim, createReadClaimCheck, parseReadClaim } from '../../../../api/identity/read-identity.ts'

const LIMIT = 30
const MINUTE = 60_000
const LIFETIME = 5 * MINUTE
const address = `0x${'ab'.repeat(20)}` as const
const signature = (count: number): Hex => `0x${count.toString(16).padStart(130, '0')}`
const claim = (count: number) => ({ address, signature: signature(count) })

let now: number
let checks: number
let check: CheckReadClaim
beforeEach(() => {
  now = 1
  checks = 0
  check = createReadClaimCheck({ wrongPerMinute: LIMIT, patienceMs: 50, now: () => now })
})

/** One request of a client with a claim whose signature is `verdict`. */
const request = (count: number, verdict: boolean | null | Error | Promise<boolean>, client = 'a client') =>
  check(claim(count), {
    client,
    verify: async () => {
      checks += 1
      if (verdict instanceof Error) throw verdict
      return await verdict
    },
    onUnknown: () => {},
  })

describe('wrong signatures', () => {
  test('given a thousand of one client, then they cost no more checks than a minute admits, and the next minute starts again', async () => {
    for (let count = 0; count < 1000; count += 1) expect(await request(count, false)).toBe(false)
    expect(checks).toBe(LIMIT)
    now += MINUTE - 1
    await request(2000, false)
    expect(checks).toBe(LIMIT)
    now += 2
    await request(2001, false)
    expect(checks).toBe(LIMIT + 1)
  })

  test('given a thousand at the same moment, then they cost no more either', async () => {
    await Promise.all(Array.from({ length: 1000 }, (_, count) => request(count, false)))
    expect(checks).toBe(LIMIT)
  })

  test('given one repeated, then it costs one check', async () => {
    for (let count = 0; count < 1000; count += 1) await request(7, false)
    expect(checks).toBe(1)
    for (let count = 0; count < LIMIT; count += 1) await request(100 + count, false)
    expect(checks).toBe(LIMIT)
  })

  test('given one of a wallet without code, then it counts and is not kept: the wallet can be deployed', async () => {
    for (let count = 0; count < LIMIT - 1; count += 1) expect(await request(7, null)).toBe(false)
    expect(await request(7, true)).toBe(true)
    expect(checks).toBe(LIMIT)
  })

  test('given many, then other clients are not limited, and no genuine one is evicted', async () => {
    expect(await request(1, true, 'neighbour')).toBe(true)
    for (let count = 1000; count < 8000; count += 1) await request(count, false, `client ${count % 500}`)
    expect(await request(2, true, 'another')).toBe(true)
    const before = checks
    expect(await request(1, true, 'neighbour')).toBe(true)
    expect(checks).toBe(before)
  })
})

describe('genuine signatures', () => {
  test('given any number, then they consume no rate limit', async () => {
    for (let count = 0; count < 10 * LIMIT; count += 1) expect(await request(count, true)).toBe(true)
    expect(checks).toBe(10 * LIMIT)
    expect(await request(5000, false)).toBe(false)
    expect(checks).toBe(10 * LIMIT + 1)
  })

  test('given a client without checks left, then its identity stays, also when the verdict is old', async () => {
    await request(1, true)
    for (let count = 100; count < 100 + LIMIT; count += 1) await request(count, false)
    expect(await request(2, true)).toBe(false)
    expect(await request(1, true)).toBe(true)
    now += LIFETIME
    for (let count = 200; count < 200 + LIMIT; count += 1) await request(count, false)
    const before = checks
    expect(await request(1, true)).toBe(true)
    expect(checks).toBe(before + 1)
    expect(await request(1, true)).toBe(true)
    expect(checks).toBe(before + 1)
  })

  test('given a contract wallet that revokes its signature, then that applies within five minutes', async () => {
    expect(await request(1, true)).toBe(true)
    now += LIFETIME - 1
    expect(await request(1, false)).toBe(true)
    now += 1
    expect(await request(1, false)).toBe(false)
  })

  test('given it was refused without checks left, then it is accepted once there is one', async () => {
    for (let count = 100; count < 100 + LIMIT; count += 1) await request(count, false)
    expect(await request(1, true)).toBe(false)
    now += MINUTE + 1
    expect(await request(1, true)).toBe(true)
  })
})

test('given equal claims at one time, then they share one check', async () => {
  const verdicts = await Promise.all(Array.from({ length: 100 }, (_, count) => request(1, true, `client ${count}`)))
  expect(verdicts).toEqual(Array(100).fill(true))
  expect(checks).toBe(1)
})

test('given a check that failed, then it is repeated, and counts', async () => {
  const away = new Error('no node')
  expect(await request(1, away)).toBe(false)
  expect(await request(1, true)).toBe(true)
  for (let count = 100; count < 1000; count += 1) await request(count, away)
  expect(checks).toBe(1 + LIMIT)
})

test('given a wallet that answers too late, then the caller is anonymous; the answer is cached', async () => {
  let answer = (_: boolean) => {}
  const pending = new Promise<boolean>((resolve) => {
    answer = resolve
  })
  expect(await request(1, pending)).toBe(false)
  answer(true)
  await pending
  expect(await request(1, false)).toBe(true)
  expect(checks).toBe(1)
})

describe('the format of a claim', () => {
  const good = `0x${'ab'.repeat(65)}`

  test('given any letter case, then it is one claim', () => {
    const claims = [address, address.toUpperCase().replace('0X', '0x')].map((text) => parseReadClaim(text, good))
    expect(claims).toEqual(Array(2).fill({ address, signature: good }))
  })

  test.each([
    '',
    '0x',
    '0x12',
    `0x${'ab'.repeat(63)}`,
    `0x${'ab'.repeat(64)}a`,
    `0x${'ab'.repeat(4097)}`,
    'ab'.repeat(65),
    `0x${'xy'.repeat(65)}`,
    `${good}, ${good}`,
    `${good}\n`,
    '🦀',
    undefined,
  ])('given %s, then it is no signature', (text) => {
    expect(parseReadClaim(address, text)).toBeNull()
  })

  test('given a text that is no address, then it is no claim', () => {
    for (const text of [undefined, '', '0x', `${address}0`, address.slice(0, -1), `${address}\n`, 'alice.eth']) {
      expect(parseReadClaim(text, good)).toBeNull()
    }
    fc.assert(
      fc.property(
        fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
        (text) => parseReadClaim(text, good) === null,
      ),
    )
  })
})
