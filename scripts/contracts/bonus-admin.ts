import { type Address, encodeFunctionData } from 'viem'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import type { BonusSetup } from './bonus-setup.ts'
import { type Call, type DeployClient, sendAll } from './chain.ts'

/**
 * Maximum factor by which the rate may rise or fall without a confirmation. A change from the rate 0 always needs a
 * confirmation.
 */
const LARGEST_CHANGE = 2n

/** A change of one setting of a bonus programme. */
export type BonusChange =
  | { setting: 'rate'; tokenPerUsdc: bigint }
  | { setting: 'bonus-bps'; bonusBps: number }
  | { setting: 'split'; workerSplitBps: number }
  | ({ setting: 'bounds' } & BonusSetup['bounds'])
  | ({ setting: 'caps' } & BonusSetup['caps'])
  | ({ setting: 'ramp' } & BonusSetup['ramp'])

/**
 * Changes a setting of a bonus programme. The client's account must own the programme.
 * @param options.isConfirmed true to make the change even if it is likely a mistake
 * @throws Error with the next step if the change is likely a mistake and not confirmed
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

/** Makes a bonus programme the only default hook of future tasks. The client's account must own the market. */
export async function attachBonus(client: DeployClient, market: Address, bonusHook: Address): Promise<void> {
  const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'setDefaultHooks', args: [[bonusHook]] })
  await sendAll(client, [{ what: 'default hooks', to: market, data }])
}

/** Moves reward tokens from the client's account into the reserve of a bonus programme. */
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

/**
 * Withdraws reward tokens from the reserve, as far as no account can claim them. The client's account must own the
 * bonus programme.
 */
export async function takeReserve(
  client: DeployClient,
  { bonusHook, to, amount }: { bonusHook: Address; to: Address; amount: bigint },
): Promise<void> {
  const data = encodeFunctionData({ abi: bonusHookAbi, functionName: 'takeReserve', args: [to, amount] })
  await sendAll(client, [{ what: 'taking from the reserve', to: bonusHook, data }])
}

/** Returns the reason why a change is likely a mistake, such as a wrong digit; null if it does not look like one. */
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
