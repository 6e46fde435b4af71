import { expect, test } from 'vitest'
import type { Database } from '../../../api/db/client.ts'
import { watchIndexedHead } from '../../../api/read-model/watch-indexed-head.ts'

test('given an earlier question that is answered after a later one, then the later answer stays', async () => {
  const answers: ((ready: boolean) => void)[] = []
  const ask = () =>
    new Promise((resolve) => {
      answers.push((ready) =>
        resolve([{ blockNumber: 7n, blockTimestamp: 1n, ready, recoversTo: null, oldestVersion: 1 }]),
      )
    })
  const watch = watchIndexedHead(ask as unknown as Database)
  const [first, second] = [watch.refresh(), watch.refresh()]
  answers[1]?.(true)
  await second
  expect(watch.current()?.ready).toBe(true)
  answers[0]?.(false)
  await first
  expect(watch.current()?.ready).toBe(true)
})
