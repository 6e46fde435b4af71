import { verifyMessage, verifyTypedData, zeroHash } from 'viem'
import type { Chain } from '../../api/chain/chain.ts'

export interface FakeChain extends Chain {
  /** The head's time, Unix seconds, which every rule uses. */
  now: bigint
  /** The host's clock, Unix seconds; absent: the head's time. */
  current?: bigint
  /** Number of message signatures that were verified. */
  signatureChecks: number
}

/**
 * A chain for tests of reads: a head whose time the test sets, signatures of keys, and funded relayers. It cannot
 * relay.
 */
export function aFakeChain(now: bigint): FakeChain {
  const chain: FakeChain = {
    now,
    signatureChecks: 0,
    head: () => chain.latestHead(),
    knownHead: () => ({ number: 1n, timestamp: chain.now }),
    knownTime: () => chain.current ?? chain.now,
    latestHead: async () => ({ number: 1n, hash: zeroHash, parentHash: zeroHash, timestamp: chain.now }),
    confirmedHead: () => chain.latestHead(),
    isUndisputed: async () => true,
    clocks: async () => ({ head: chain.now, current: chain.current ?? chain.now }),
    latestClocks: async () => ({ head: await chain.latestHead(), clocks: await chain.clocks() }),
    blockHash: async () => zeroHash,
    blockTimestamp: async () => chain.now,
    safeBlockNumber: async () => 1n,
    verifyMessage: async (signed) => {
      chain.signatureChecks += 1
      // viem throws for a text that is no signature.
      return await verifyMessage(signed).catch(() => false)
    },
    verifyTypedData: async ({ address, typedData, signature }) =>
      await verifyTypedData({ address, signature, ...typedData } as Parameters<typeof verifyTypedData>[0]).catch(
        () => false,
      ),
    readContract: absent,
    readContracts: absent,
    readContractsAt: absent,
    findTokenBalanceAt: absent,
    simulate: absent,
    hasCode: async () => false,
    getTransactionReceipt: absent,
    getTransaction: absent,
    sendRawTransaction: absent,
    estimateFeesPerGas: async () => ({ maxFeePerGas: 3n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n }),
    getBalance: async () => 10n ** 18n,
    blockLogs: absent,
    getTransactionCount: absent,
    getLogs: absent,
    usdcBalance: absent,
  }
  return chain
}

function absent(): never {
  throw new Error('the fake chain only has a head and keys')
}
