import { expect, test } from 'vitest'
import { isHeadPlausible } from '../../../ops/indexer/indexed-head.ts'

const NOW = 1_800_000_000n
const indexed = { blockNumber: 1_000n, blockTimestamp: NOW - 100n, isReady: true }

test.each([
  ['the next block', { number: 1_001n, timestamp: NOW - 98n + 60n }, true],
  ['a block a second since', { number: 1_100n, timestamp: NOW }, true],
  ['a node that lags', { number: 900n, timestamp: NOW - 30n }, true],
  ['more blocks than seconds', { number: 1_161n, timestamp: NOW }, false],
  ['a height of nothing', { number: 2n ** 63n, timestamp: NOW }, false],
  ['a time of the past', { number: 1_050n, timestamp: NOW - 61n }, false],
  ['a time of the future', { number: 1_050n, timestamp: NOW + 61n }, false],
])('a head of %s', (_name, head, isBelieved) => {
  expect(isHeadPlausible(head, indexed, NOW)).toBe(isBelieved)
})
