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

/** One look from a client at a claim that is what `verdict` says. */
const look = (count: number, verdict: boolean | Error | Promise<boolean>, client = 'somebody') =>
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
  test('a thousand of one client cost no more checks than a minute has, and the next minute begins anew', async () => {
    for (let count = 0; count < 1000; count += 1) expect(await look(count, false)).toBe(false)
    expect(checks).toBe(LIMIT)
    now += MINUTE - 1
    await look(2000, false)
    expect(checks).toBe(LIMIT)
    now += 2
    await look(2001, false)
    expect(checks).toBe(LIMIT + 1)
  })

  test('a thousand at the same moment cost no more either', async () => {
    await Promise.all(Array.from({ length: 1000 }, (_, count) => look(count, false)))
    expect(checks).toBe(LIMIT)
  })

  test('one repeated costs one check', async () => {
    for (let count = 0; count < 1000; count += 1) await look(7, false)
    expect(checks).toBe(1)
    for (let count = 0; count < LIMIT; count += 1) await look(100 + count, false)
    expect(checks).toBe(LIMIT)
  })

  test('are no burden of other clients, and push no genuine one out of memory', async () => {
    expect(await look(1, true, 'neighbour')).toBe(true)
    for (let count = 1000; count < 8000; count += 1) await look(count, false, `client ${count % 500}`)
    expect(await look(2, true, 'another')).toBe(true)
    const before = checks
    expect(await look(1, true, 'neighbour')).toBe(true)
    expect(checks).toBe(before)
  })
})

describe('genuine signatures', () => {
  test('use no budget, however many they are', async () => {
    for (let count = 0; count < 10 * LIMIT; count += 1) expect(await look(count, true)).toBe(true)
    expect(checks).toBe(10 * LIMIT)
    expect(await look(5000, false)).toBe(false)
    expect(checks).toBe(10 * LIMIT + 1)
  })

  test('a client whose budget is gone is still who it was, also when the verdict is old', async () => {
    await look(1, true)
    for (let count = 100; count < 100 + LIMIT; count += 1) await look(count, false)
    expect(await look(2, true)).toBe(false)
    expect(await look(1, true)).toBe(true)
    now += LIFETIME
    for (let count = 200; count < 200 + LIMIT; count += 1) await look(count, false)
    const before = checks
    expect(await look(1, true)).toBe(true)
    expect(checks).toBe(before + 1)
    expect(await look(1, true)).toBe(true)
    expect(checks).toBe(before + 1)
  })

  test('a contract wallet that takes its word back is believed within five minutes', async () => {
    expect(await look(1, true)).toBe(true)
    now += LIFETIME - 1
    expect(await look(1, false)).toBe(true)
    now += 1
    expect(await look(1, false)).toBe(false)
  })

  test('refused while the budget was gone, it is taken as soon as there is one', async () => {
    for (let count = 100; count < 100 + LIMIT; count += 1) await look(count, false)
    expect(await look(1, true)).toBe(false)
    now += MINUTE + 1
    expect(await look(1, true)).toBe(true)
  })
})

test('equal claims at one time share one check', async () => {
  const verdicts = await Promise.all(Array.from({ length: 100 }, (_, count) => look(1, true, `client ${count}`)))
  expect(verdicts).toEqual(Array(100).fill(true))
  expect(checks).toBe(1)
})

test('what nobody could check is asked again, and counts', async () => {
  const away = new Error('no node')
  expect(await look(1, away)).toBe(false)
  expect(await look(1, true)).toBe(true)
  for (let count = 100; count < 1000; count += 1) await look(count, away)
  expect(checks).toBe(1 + LIMIT)
})

test('a wallet that answers too late is nobody for now; its answer is remembered', async () => {
  let answer = (_: boolean) => {}
  const pending = new Promise<boolean>((resolve) => {
    answer = resolve
  })
  expect(await look(1, pending)).toBe(false)
  answer(true)
  await pending
  expect(await look(1, false)).toBe(true)
  expect(checks).toBe(1)
})

describe('what a claim looks like', () => {
  const good = `0x${'ab'.repeat(65)}`

  test('any letter case is one claim', () => {
    const claims = [address, address.toUpperCase().replace('0X', '0x')].map((text) => parseReadClaim(text, good))
    expect(claims).toEqual(Array(2).fill({ address, signature: good }))
  })

  test.each([
    '',
    '0x',
    '0x12',
    `0x${'ab'.repeat(63)}`,
    `0x${'ab'.repeat(64)}a`,
    `0x${'ab'.repeat(1025)}`,
    'ab'.repeat(65),
    `0x${'xy'.repeat(65)}`,
    `${good}, ${good}`,
    `${good}\n`,
    '🦀',
    undefined,
  ])('%s is no signature', (text) => {
    expect(parseReadClaim(address, text)).toBeNull()
  })

  test('a text that is no address is none', () => {
    for (const text of [undefined, '', '0x', `${address}0`, address.slice(0, -1), `${address}\n`, 'alice.eth']) {
      expect(parseReadClaim(text, good)).toBeNull()
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseReadClaim(text, good) === null))
  })
})
