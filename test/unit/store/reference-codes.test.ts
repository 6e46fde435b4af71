import fc from 'fast-check'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { takeReferenceCode } from '../../../src/store/reference-codes.ts'
import type { Store } from '../../../src/store/store.ts'

/** The parts of a store that codes need: rows by their code. */
function aStore(): Store {
  const rows = new Map<string, { code: string; kind: string; targetId: Hex }>()
  const store = {
    find: async (_table: unknown, { code }: { code: string }) => rows.get(code) ?? null,
    insert: () => ({
      values: async (row: { code: string; kind: string; targetId: Hex }) => {
        if (rows.has(row.code)) throw new Error(`the code ${row.code} is taken`)
        rows.set(row.code, row)
      },
    }),
  }
  return store as unknown as Store
}

/** An id of 32 bytes with this beginning. */
const anId = (start: string): Hex => `0x${start.padEnd(64, '0')}`

test('given ids with the same beginning, when they get codes, then each later one has a character more until it is free', async () => {
  const store = aStore()
  // Eight characters are 40 bits: ten hex digits.
  const first = await takeReferenceCode(store, 'task', anId('ab'.repeat(10)))
  const second = await takeReferenceCode(store, 'task', anId('ab'.repeat(9)))
  const third = await takeReferenceCode(store, 'task', anId('ab'.repeat(8)))

  expect([first, second, third].map((code) => code.length - 'TSK-'.length)).toEqual([8, 9, 10])
  expect(second.startsWith(first)).toBe(true)
  expect(third.startsWith(second)).toBe(true)
})

test('given tasks and submissions with the same beginning, then they do not share codes', async () => {
  const store = aStore()
  expect((await takeReferenceCode(store, 'task', anId('ab'))).replace('TSK-', '')).toBe(
    (await takeReferenceCode(store, 'submission', anId('ab'))).replace('SUB-', ''),
  )
})

test('given an id with a code, when it gets another, then that is a broken invariant', async () => {
  const store = aStore()
  await takeReferenceCode(store, 'task', anId('ab'))
  await expect(takeReferenceCode(store, 'task', anId('ab'))).rejects.toThrow('took a reference code twice')
})

test('given any ids, then no two have the same code', async () => {
  const alike = fc.uniqueArray(
    fc.integer({ min: 0, max: 255 }).map((bit) => `0x${(1n << BigInt(bit)).toString(16).padStart(64, '0')}` as const),
    { minLength: 2, maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(alike, async (ids) => {
      const store = aStore()
      const codes: string[] = []
      for (const id of ids) codes.push(await takeReferenceCode(store, 'task', id))
      expect(new Set(codes).size).toBe(ids.length)
    }),
  )
})
