import type { Address } from 'viem'
import { expect, test, vi } from 'vitest'
import { gasLimitFor } from '../../../api/relayer/transactions/fees.ts'
import { createRelayerBalances } from '../../../api/relayer/transactions/relayer-balances.ts'

const addresses: Address[] = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`]
const LARGEST_GAS = 1_000_000n
const FEE = 3n
const NEEDED = gasLimitFor(LARGEST_GAS) * FEE

function aChain(balances: bigint[]) {
  const getBalance = vi.fn(async (address: Address) => balances[addresses.indexOf(address)] ?? 0n)
  return { getBalance, estimateFeesPerGas: async () => ({ maxFeePerGas: FEE, maxPriorityFeePerGas: 1n }) }
}

const open = () =>
  createRelayerBalances(
    addresses.map((address) => ({ address })),
    LARGEST_GAS,
  )

test('given the ether of the largest call, then a relayer is funded, and with a wei less it is not', async () => {
  const [first, second] = await open().read(aChain([NEEDED, NEEDED - 1n]))
  expect([first?.isFunded, second?.isFunded]).toEqual([true, false])
})

test('given one relayer that is funded, when asked again soon, then no balance is read again', async () => {
  const balances = open()
  const chain = aChain([0n, NEEDED])
  const funds = await balances.read(chain)
  expect(await balances.read(chain)).toBe(funds)
  expect(chain.getBalance).toHaveBeenCalledTimes(2)
})

test('given none, when asked again, then balances are read again, once for all who ask at the same time', async () => {
  const balances = open()
  const chain = aChain([0n, NEEDED - 1n])
  await balances.read(chain)
  await Promise.all([balances.read(chain), balances.read(chain)])
  expect(chain.getBalance).toHaveBeenCalledTimes(4)
})
