import { expect, test } from 'vitest'
import { readOptions } from '../../../ops/relayer/options.ts'

test.each([
  ['list --all', "Unknown option '--all'; --help says which options there are."],
  ['show', 'There is no command show; npm run relayer -- --help says which there are.'],
  ['fund', 'Name what each should have: --amount 0.05 (ether).'],
  ['fund --amount 1e3', '--amount must be a number of ether such as 0.05, not 1e3.'],
  ['remove', 'Name one relayer: npm run relayer -- remove ADDRESS.'],
  [`drain 0x${'1'.repeat(40)}`, 'Name who gets the rest: --to ADDRESS.'],
  ['add 0x12', 'A relayer must be an address (0x and 40 hex digits, with a right checksum if mixed), not 0x12.'],
  ['list --confirmations 0', '--confirmations must be a whole number from 1 to 999.'],
])('given npm run relayer -- %s, then it says: %s', (words, sentence) => {
  expect(() => readOptions(words.split(' '))).toThrow(new Error(sentence))
})
