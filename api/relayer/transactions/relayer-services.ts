import type { Chain } from '../../chain/chain.ts'
import type { Config } from '../../config.ts'
import { mostGasOfACall } from '../../intents/hook-gas.ts'
import type { Relayer } from '../signers/relayer.ts'
import { createRecentSimulations, type RecentSimulations } from './recent-simulations.ts'
import { createRelayerBalances, type RelayerBalances } from './relayer-balances.ts'

/** The accounts of this process that pay the gas of relayed writes, and what they have left. */
export interface RelayerServices {
  /** At least one. Each is one nonce sequence. */
  accounts: readonly [Relayer, ...Relayer[]]
  balances: RelayerBalances
  /** What this process simulated for callers a moment ago. */
  simulations: RecentSimulations
}

/** @param relayers as `openRelayers` opens them. @throws Error without one */
export function createRelayerServices(
  [first, ...rest]: readonly Relayer[],
  config: Pick<Config, 'MAX_RELAY_GAS'>,
): RelayerServices {
  if (first === undefined) throw new Error('a relayer is needed')
  const accounts = [first, ...rest] as const
  return {
    accounts,
    balances: createRelayerBalances(accounts, mostGasOfACall(BigInt(config.MAX_RELAY_GAS))),
    simulations: createRecentSimulations(),
  }
}

/**
 * The relayers of this process that can send a write now: they can pay for it, and their signers did not fail a moment ago.
 * @throws ChainUnavailable
 */
export async function listFundedRelayers(
  { accounts, balances }: RelayerServices,
  chain: Pick<Chain, 'getBalance' | 'estimateFeesPerGas'>,
): Promise<Relayer[]> {
  const funds = await balances.read(chain)
  return accounts.filter(
    ({ address, isReady }) => isReady() && funds.some((each) => each.address === address && each.isFunded),
  )
}

/** What the request side of writes asks of the relayers. */
export function createRelayerPort(
  services: RelayerServices,
  chain: Pick<Chain, 'getBalance' | 'estimateFeesPerGas'>,
): { address: Relayer['address']; isFunded(): Promise<boolean>; simulations: RecentSimulations } {
  const [{ address }] = services.accounts
  const { simulations } = services
  return { address, simulations, isFunded: async () => (await listFundedRelayers(services, chain)).length > 0 }
}
