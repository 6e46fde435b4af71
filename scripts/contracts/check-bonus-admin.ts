import { type Address, encodeFunctionData } from 'viem'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import { type BonusChange, changeBonus, fundReserve, takeReserve } from './bonus-admin.ts'
import { type DeployClient, sendAll } from './chain.ts'

/**
 * Tests the changes that the owner of a bonus programme can make to its settings and its reserve. The programme has no
 * rate at the start. Changes that are likely mistakes must be refused until they are confirmed. Other changes must be
 * made.
 * @returns the problems; empty if there are none
 */
export async function findBonusAdminProblems(
  client: DeployClient,
  { bonusHook, token }: { bonusHook: Address; token: Address },
): Promise<string[]> {
  const contract = { address: bonusHook, abi: bonusHookAbi } as const
  const rate = 10n ** 19n
  const problems: string[] = []
  const refusalOf = (change: BonusChange, hook = bonusHook) =>
    changeBonus(client, hook, change).then(
      () => 'none',
      (refusal: Error) => refusal.message,
    )
  const expectDoubt = async (change: BonusChange, what: string) => {
    const refusal = await refusalOf(change)
    if (!refusal.includes('--confirm')) problems.push(`a probable mistake needed no --confirm: ${what}`)
  }
  const tooMuch = await refusalOf({ setting: 'split', workerSplitBps: 10_001 })
  if (tooMuch !== 'split would revert: InvalidBps(10001, 10000)') problems.push(`a refused split: ${tooMuch}`)
  const nowhere = await refusalOf({ setting: 'split', workerSplitBps: 7000 }, client.account.address)
  if (!nowhere.startsWith('there is no contract at')) problems.push(`a split of an account without code: ${nowhere}`)
  await expectDoubt({ setting: 'rate', tokenPerUsdc: rate }, 'a first rate')
  await expectDoubt({ setting: 'rate', tokenPerUsdc: 1n }, 'a first rate of one base unit')
  await changeBonus(client, bonusHook, { setting: 'rate', tokenPerUsdc: rate }, { isConfirmed: true })
  await expectDoubt({ setting: 'rate', tokenPerUsdc: rate * 2n + 1n }, 'a rate above twice the present one')
  await expectDoubt({ setting: 'rate', tokenPerUsdc: rate / 2n - 1n }, 'a rate below half of the present one')
  await expectDoubt({ setting: 'bonus-bps', bonusBps: 751 }, 'a bonus above the fee')
  const bounds = { maxBonusPerFeeBps: 10_001, maxRateDriftBps: 20_000 }
  await expectDoubt({ setting: 'bounds', ...bounds }, 'a bonus that may be worth more than its fee')
  // What needs none: twice and half of the present rate, no rate, and the same terms again.
  for (const tokenPerUsdc of [rate * 2n, rate, 0n, 0n]) {
    await changeBonus(client, bonusHook, { setting: 'rate', tokenPerUsdc })
  }
  await expectDoubt({ setting: 'rate', tokenPerUsdc: rate }, 'a rate after none')
  await changeBonus(client, bonusHook, { setting: 'rate', tokenPerUsdc: rate * 3n }, { isConfirmed: true })
  const mint = encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [client.account.address, 100n] })
  await sendAll(client, [{ what: 'minting', to: token, data: mint }])
  await fundReserve(client, { bonusHook, token, amount: 100n })
  await takeReserve(client, { bonusHook, to: client.account.address, amount: 40n })
  const { tokenPerUsdc } = await client.readContract({ ...contract, functionName: 'terms' })
  const reserve = await client.readContract({ ...contract, functionName: 'available' })
  if (tokenPerUsdc !== rate * 3n) problems.push('a confirmed rate was not set')
  if (reserve !== 60n) problems.push(`the reserve is ${reserve} instead of 60`)
  return problems
}

const mintAbi = [
  {
    type: 'function',
    name: 'mint',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [],
  },
] as const
