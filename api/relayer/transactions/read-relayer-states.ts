import type { Chain } from '../../chain/chain.ts'
import type { Database } from '../../db/client.ts'
import type { RelayerState } from '../../observability/sources.ts'
import type { Relayer } from '../signers/relayer.ts'
import { listNonceSequences } from './nonce-sequences.queries.ts'
import type { RelayerBalances } from './relayer-balances.ts'

/** A relayer. `failures` is absent if its signer was not opened. */
type KnownRelayer = Pick<Relayer, 'address'> & Partial<Pick<Relayer, 'failures'>>

/**
 * Returns the nonces, balance and signer failures of each relayer of this process. Readiness checks and metrics use
 * them.
 * @throws ChainUnavailable
 */
export async function readRelayerStates(
  sql: Database,
  chain: Pick<Chain, 'getBalance' | 'estimateFeesPerGas' | 'getTransactionCount'>,
  { accounts, balances }: { accounts: readonly KnownRelayer[]; balances: RelayerBalances },
): Promise<RelayerState[]> {
  const funds = await balances.read(chain)
  const [sequences, minedNonces] = await Promise.all([
    listNonceSequences(sql),
    Promise.all(funds.map(({ address }) => chain.getTransactionCount(address))),
  ])
  return funds.map(({ address, balanceWei, isFunded }, index) => ({
    address,
    nextNonce: sequences.find((sequence) => sequence.address === address)?.nextNonce ?? 0n,
    minedNonce: minedNonces[index] ?? 0n,
    balanceWei,
    isUnderfunded: !isFunded,
    signerFailures: accounts.find((account) => account.address === address)?.failures?.() ?? 0,
  }))
}
