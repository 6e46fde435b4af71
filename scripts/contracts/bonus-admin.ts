import { type Address, encodeFunctionData } from 'viem'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import type { BonusSetup } from './bonus-setup.ts'
import { type Call, type DeployClient, sendAll } from './chain.ts'

/** Maximum factor of an unconfirmed change of the rate, up or down. A rate of 0 has no factor. */
const LARGEST_CHANGE = 2n

/** A change of one setting. */
export type BonusChange =
  | { setting: 'rate'; tokenPerUsdc: bigint }
  | { setting: 'bonus-bps'; bonusBps: number }
  | { setting: 'split'; workerSplitBps: number }
  | ({ setting: 'bounds' } & BonusSetup['bounds'])
  | ({ setting: 'caps' } & BonusSetup['caps'])
  | ({ setting: 'ramp' } & BonusSetup['ramp'])

/**
 * Changes a setting of a programme as its owner.
 * @param options.isConfirmed true to make changes that are likely mistakes
 * @throws Error with the next step for an unconfirmed change that is a likely mistake
 */
export async function changeBonus(
  client: DeployClient,
  bonusHook: Address,
  change: BonusChange,
  { isConfirmed = false }: { isConfirmed?: boolean } = {},
): Promise<void> {
  const doubt = isConfirmed ? null : await findDoubt(client, bonusHook, change)
  if (doubt !== null) throw new Error(`${doubt}; add --confirm if that is meant`)
  await sendAll(client, [{ what: change.setting, to: bonusHook, data: encodeChange(change) }])
}

/** Makes a programme the only default hook of future tasks, as the market's owner. */
export async function attachBonus(client: DeployClient, market: Address, bonusHook: Address): Promise<void> {
  const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'setDefaultHooks', args: [[bonusHook]] })
  await sendAll(client, [{ what: 'default hooks', to: market, data }])
}

/** Moves tokens of the account into the reserve. */
export async function fundReserve(
  client: DeployClient,
  { bonusHook, token, amount }: { bonusHook: Address; token: Address; amount: bigint },
): Promise<void> {
  const approve = encodeFunctionData({ abi: approveAbi, functionName: 'approve', args: [bonusHook, amount] })
  const fund = encodeFunctionData({ abi: bonusHookAbi, functionName: 'fundReserve', args: [amount] })
  const steps: Call[] = [
    { what: 'approving the tokens', to: token, data: approve },
    { what: 'funding the reserve', to: bonusHook, data: fund },
  ]
  for (const step of steps) await sendAll(client, [step])
}

/** Withdraws tokens that no account can claim from the reserve, as its owner. */
export async function takeReserve(
  client: DeployClient,
  { bonusHook, to, amount }: { bonusHook: Address; to: Address; amount: bigint },
): Promise<void> {
  const data = encodeFunctionData({ abi: bonusHookAbi, functionName: 'takeReserve', args: [to, amount] })
  await sendAll(client, [{ what: 'taking from the reserve', to: bonusHook, data }])
}

/** Returns why a change is likely a mistake, such as a wrong digit; null: it is not. */
async function findDoubt(client: DeployClient, bonusHook: Address, change: BonusChange): Promise<string | null> {
  const contract = { address: bonusHook, abi: bonusHookAbi } as const
  if (change.setting === 'rate') {
    const { tokenPerUsdc: presentRate } = await client.readContract({ ...contract, functionName: 'terms' })
    const next = change.tokenPerUsdc
    if (next === 0n || next === presentRate) return null
    if (presentRate === 0n) return `the rate is 0 and would become ${next}, with nothing to compare it with`
    const isFar = next > presentRate * LARGEST_CHANGE || next * LARGEST_CHANGE < presentRate
    return isFar ? `the rate would change from ${presentRate} to ${next}, more than twofold` : null
  }
  if (change.setting === 'bounds' && change.maxBonusPerFeeBps > 10_000)
    return `bonuses of up to ${change.maxBonusPerFeeBps} bps of the platform fee are worth more than that fee`
  if (change.setting !== 'bonus-bps') return null
  const market = await client.readContract({ ...contract, functionName: 'market' })
  const feeBps = await client.readContract({ address: market, abi: taskMarketAbi, functionName: 'feeBps' })
  return change.bonusBps > feeBps ? `bonuses of ${change.bonusBps} bps are above the platform fee of ${feeBps}` : null
}

function encodeChange(change: BonusChange) {
  const abi = bonusHookAbi
  switch (change.setting) {
    case 'rate':
      return encodeFunctionData({ abi, functionName: 'setRate', args: [change.tokenPerUsdc] })
    case 'bonus-bps':
      return encodeFunctionData({ abi, functionName: 'setBonusBps', args: [change.bonusBps] })
    case 'split':
      return encodeFunctionData({ abi, functionName: 'setWorkerSplit', args: [change.workerSplitBps] })
    case 'bounds':
      return encodeFunctionData({ abi, functionName: 'setBounds', args: [change] })
    case 'caps':
      return encodeFunctionData({ abi, functionName: 'setCaps', args: [change] })
    case 'ramp':
      return encodeFunctionData({ abi, functionName: 'setRamp', args: [change] })
  }
}

const approveAbi = [
  {
    type: 'function',
    name: 'approve',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'spender', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
] as const
