import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import { createReorgEye } from '../../../api/observability/observe-chain.ts'

const block = (name: string, parent: string) => ({
  number: BigInt(Number.parseInt(name, 10)),
  hash: `0x${name}` as Hex,
  parentHash: `0x${parent}` as Hex,
})

it.each([
  ['a chain that grows', [block('1a', '0'), block('2a', '1a'), block('2a', '1a'), block('3a', '2a')], []],
  ['blocks that were not looked at', [block('1a', '0'), block('9a', '8a'), block('20a', '19a')], []],
  ['a node that is behind and catches up', [block('2a', '1a'), block('1a', '0'), block('2a', '1a')], []],
  ['another block at the same height', [block('2a', '1a'), block('2b', '1a'), block('3b', '2b')], [1]],
  ['a block upon another one', [block('2a', '1a'), block('3b', '2b'), block('4b', '3b')], [1]],
  [
    'a shorter chain that grows again',
    [block('2a', '1a'), block('3a', '2a'), block('2b', '1a'), block('3b', '2b')],
    [2],
  ],
])('given %s, then each reorg is reported once', (_, blocks, expected) => {
  const isReorg = createReorgEye()
  const seen = blocks.flatMap((each, index) => (isReorg(each) ? [index] : []))
  expect(seen).toEqual(expected)
})
