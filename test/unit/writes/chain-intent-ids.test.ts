import { expect, test } from 'vitest'
import { createChainIntentIds } from '../../../api/intents/chain-intent-ids.ts'

test('given one process, when it names many intents, then each id is unique and 256 share a word', () => {
  const next = createChainIntentIds()
  const ids = Array.from({ length: 1024 }, next)
  expect(new Set(ids).size).toBe(1024)
  expect(ids.every((id) => /^0x[0-9a-f]{64}$/.test(id))).toBe(true)
  expect(new Set(ids.map((id) => id.slice(0, -2))).size).toBe(4)
})

test('given two processes, when both name their first intents, then no id is the same', () => {
  const [one, other] = [createChainIntentIds(), createChainIntentIds()]
  const ids = [one(), one(), other(), other()]
  expect(new Set(ids).size).toBe(4)
  expect(ids[0]?.slice(0, 50)).not.toBe(ids[2]?.slice(0, 50))
})
