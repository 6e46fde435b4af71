import type { Chain } from '../../chain/chain.ts'
import type { Database } from '../../db/client.ts'
import type { RelayerState } from '../../observability/sources.ts'
import { listLanes } from './nonce-sequences.queries.ts'
import type { RelayerBalances } from './relayer-balances.ts'

/**
 * Nonces and ether of this process' relayers, as readiness and metrics report them.
 * @throws ChainUnavailable
 */
export async function readRelayerStates(
  sql: Database,
  chain: Pick<Chain, 'etherBalance' | 'fees' | 'minedNonce'>,
  balances: RelayerBalances,
): Promise<RelayerState[]> {
  const funds = await balances.read(chain)
  const [lanes, minedNonces] = await Promise.all([
    listLanes(sql),
    Promise.all(funds.map(({ address }) => chain.minedNonce(address))),
  ])
  return funds.map(({ address, balanceWei, enough }, index) => ({
    address,
    nextNonce: lanes.find((lane) => lane.address === address)?.nextNonce ?? 0n,
    minedNonce: minedNonces[index] ?? 0n,
    balanceWei,
    isPoor: !enough,
  }))
}
