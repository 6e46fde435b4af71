import type { Chain } from '../../chain/chain.ts'
import type { Config } from '../../config.ts'
import type { DirectRelays } from '../../intents/direct-relay.ts'
import { mostGasOfACall } from '../../intents/hook-gas.ts'
import type { Relayer } from '../signers/relayer.ts'
import { createRecentSimulations, type RecentSimulations } from './recent-simulations.ts'
import { createRelayerBalances, type RelayerBalances } from './relayer-balances.ts'

/** The relayers of this process, with their balances and recent simulations. */
export interface RelayerServices {
  /** The relayers of this process, at least one. Each relayer has one nonce sequence. */
  accounts: readonly [Relayer, ...Relayer[]]
  balances: RelayerBalances
  /** The recent simulations of this process. */
  simulations: RecentSimulations
}

/**
 * Creates the services that all relayers share: the reader of the relayers' balances, and the cache of recent
 * simulation results.
 * @param relayers the result of `openRelayers`
 * @throws Error if the list is empty
 */
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
 * Lists the relayers that can send a write now. They have funds, and their signer has not failed recently.
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

/** Returns the functions of the relayer that the request handlers of writes use. */
export function createRelayerPort(
  services: RelayerServices,
  chain: Pick<Chain, 'getBalance' | 'estimateFeesPerGas'>,
): DirectRelays & {
  address: Relayer['address']
  isFunded(): Promise<boolean>
  simulations: RecentSimulations
  relayDirectly(relays: DirectRelays): void
} {
  const [{ address }] = services.accounts
  const { simulations } = services
  let directRelays: DirectRelays | null = null
  return {
    address,
    simulations,
    isFunded: async () => (await listFundedRelayers(services, chain)).length > 0,
    plan: async (call) => (await directRelays?.plan(call)) ?? null,
    relayDirectly: (relays) => {
      directRelays = relays
    },
  }
}
