import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fundingFailures, toFundingFailures } from '../../../../api/domain/sponsored/funding-failures.ts'
import { contractsRoot } from '../../../../scripts/contracts/paths.ts'

test('given the bits of the contract, then each has its code, in the same order', () => {
  const source = readFileSync(join(contractsRoot, 'src/sponsored/FundingProblems.sol'), 'utf8')
  const bits = [...source.matchAll(/constant (\w+) = 1 << (\d+);/g)].map(([, name, bit]) => [name, Number(bit)])
  expect(bits).toEqual(fundingFailures.map((failure, bit) => [failure, bit]))
})

test('given no bit, then there is no failure; given several, then all of them in the order of the codes', () => {
  expect(toFundingFailures(0n)).toEqual([])
  expect(toFundingFailures(0b1010_0010n)).toEqual([
    'VAULT_NOT_ACTIVE',
    'VAULT_INSUFFICIENT_AVAILABLE',
    'INSUFFICIENT_FEE_CREDIT',
  ])
  expect(toFundingFailures(0xffn)).toEqual(fundingFailures)
})

test('given a bit of no known problem, then it is not taken for none', () => {
  expect(() => toFundingFailures(1n << 8n)).toThrow('no known problem')
})
