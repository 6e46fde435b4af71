import { describe, expect, test } from 'vitest'
import { createGrants, differingTerms, type Terms } from '../../../client/src/mcp/grants.ts'

/** Tokens on a clock of their own. */
function someGrants() {
  const clock = { now: 1_800_000_000_000 }
  return { clock, grants: createGrants<string>({ lifetimeMs: 60_000, now: () => clock.now }) }
}

const terms: Terms = {
  requestHash: 'hash',
  price: 1_000n,
  payTo: '0xab',
  decides: 2_001_000n,
  rowVersion: 'v1',
  call: '0x5f 0x12 0',
}

describe('The tokens of previews', () => {
  test('given a token, then it works once', () => {
    const { grants } = someGrants()
    const { token } = grants.issue('a write')
    expect(grants.take(token)).toEqual({ ok: true, value: 'a write' })
    expect(grants.take(token)).toEqual({ ok: false, problem: 'unknown' })
  })

  test('given the time of a token, then it works until that, and is gone after', () => {
    const { clock, grants } = someGrants()
    const [early, late] = [grants.issue('early'), grants.issue('late')]
    expect(early.expiresAt).toBe(clock.now + 60_000)
    clock.now += 59_999
    expect(grants.take(early.token)).toMatchObject({ ok: true })
    clock.now += 1
    expect(grants.take(late.token)).toEqual({ ok: false, problem: 'expired' })
    clock.now -= 60_000
    expect(grants.take(late.token)).toEqual({ ok: false, problem: 'unknown' })
  })

  test('given an altered, a foreign or no token, then it is not known', () => {
    const [here, elsewhere] = [someGrants().grants, someGrants().grants]
    const { token } = here.issue('a write')
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const wrong of [altered, token.toUpperCase(), `${token} `, elsewhere.issue('other').token, '', '__proto__']) {
      expect(here.take(wrong)).toEqual({ ok: false, problem: 'unknown' })
    }
    expect(here.take(token)).toMatchObject({ ok: true })
  })

  test('given tokens without end, then the oldest ones end', () => {
    const { grants } = someGrants()
    const tokens = Array.from({ length: 150 }, (_, at) => grants.issue(String(at)).token)
    const working = tokens.filter((token) => grants.take(token).ok)
    expect(working).toEqual(tokens.slice(50))
    expect(new Set(tokens).size).toBe(150)
  })

  test('given terms, then each part of them binds', () => {
    expect(differingTerms(terms, { ...terms })).toEqual([])
    const changes: Partial<Terms>[] = [
      { requestHash: 'other' },
      { price: null },
      { payTo: '0xcd' },
      { decides: 2_001_001n },
      { rowVersion: 'v2' },
      { call: '0x5f 0x13 0' },
    ]
    for (const change of changes) expect(differingTerms(terms, { ...terms, ...change })).toEqual(Object.keys(change))
  })
})
