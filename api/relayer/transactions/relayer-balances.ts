import type { Address } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { gasLimitFor } from './fees.ts'

/** The age of a reading that a write may be admitted or signed by, milliseconds. */
const FRESH_FOR_MS = 3_000

/** The balance of a relayer. */
export interface RelayerFunds {
  address: Address
  balanceWei: bigint
  /** True if it can pay for the largest relayed transaction at current fees. */
  isFunded: boolean
}

/** The ether of this service's relayers. A write is admitted only while one of them can send it. */
export interface RelayerBalances {
  /**
   * Reads the balances unless a fresh reading has a funded relayer; concurrent callers share one reading.
   * @throws ChainUnavailable
   */
  read(chain: Pick<Chain, 'getBalance' | 'estimateFeesPerGas'>): Promise<readonly RelayerFunds[]>
}

/** Creates the balances. @param maxRelayGas gas of the largest relayed call */
export function createRelayerBalances(relayers: readonly { address: Address }[], maxRelayGas: bigint): RelayerBalances {
  let funds: readonly RelayerFunds[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<readonly RelayerFunds[]> | null = null

  const readAll = async (chain: Pick<Chain, 'getBalance' | 'estimateFeesPerGas'>): Promise<readonly RelayerFunds[]> => {
    const startedAt = performance.now()
    const [fees, ...balances] = await Promise.all([
      chain.estimateFeesPerGas(),
      ...relayers.map(({ address }) => chain.getBalance(address)),
    ])
    const needed = gasLimitFor(maxRelayGas) * fees.maxFeePerGas
    funds = relayers.map(({ address }, index) => {
      const balanceWei = balances[index] ?? 0n
      return { address, balanceWei, isFunded: balanceWei >= needed }
    })
    readAt = startedAt
    return funds
  }
  return {
    read: async (chain) => {
      // While no relayer is funded, every call reads again, so a top-up counts at once.
      if (performance.now() - readAt < FRESH_FOR_MS && funds.some(({ isFunded }) => isFunded)) return funds
      reading ??= readAll(chain).finally(() => {
        reading = null
      })
      return await reading
    },
  }
}
