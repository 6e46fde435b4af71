import type { Address } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { gasLimitFor } from './fees.ts'

/** The age in milliseconds from which the stored balances are too old, so they are read again. */
const FRESH_FOR_MS = 3_000

/** The balance of one relayer. */
export interface RelayerFunds {
  address: Address
  balanceWei: bigint
  /** True if the balance covers the largest relayed transaction at current fees. */
  isFunded: boolean
}

/** The ether balances of this service's relayers. A write is admitted only if at least one relayer can pay for it. */
export interface RelayerBalances {
  /**
   * Returns the balances. They are read again if they are too old or show no funded relayer. Concurrent callers share
   * one read.
   * @throws ChainUnavailable
   */
  read(chain: Pick<Chain, 'getBalance' | 'estimateFeesPerGas'>): Promise<readonly RelayerFunds[]>
}

/** Creates the reader of the balances. @param maxRelayGas the gas of the largest relayed call */
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
    const neededWei = gasLimitFor(maxRelayGas) * fees.maxFeePerGas
    funds = relayers.map(({ address }, index) => {
      const balanceWei = balances[index] ?? 0n
      return { address, balanceWei, isFunded: balanceWei >= neededWei }
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
