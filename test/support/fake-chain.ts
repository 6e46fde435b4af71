import { verifyMessage, zeroHash } from 'viem'
import type { Chain } from '../../api/chain/chain.ts'

export interface FakeChain extends Chain {
  /** The head's time, Unix seconds: the time of every rule. */
  now: bigint
  /** How often a message signature was really checked. */
  signatureChecks: number
}

/**
 * A chain for tests of reads: a head whose time the test sets, keys' signatures, and relayers with a balance. Whatever
 * relays is absent.
 */
export function aFakeChain(now: bigint): FakeChain {
  const chain: FakeChain = {
    now,
    signatureChecks: 0,
    head: async () => ({ number: 1n, hash: zeroHash, parentHash: zeroHash, timestamp: chain.now }),
    latestHead: () => chain.head(),
    blockHash: async () => zeroHash,
    safeBlockNumber: async () => 1n,
    verifyMessage: async (signed) => {
      chain.signatureChecks += 1
      // viem throws for what is no signature of a key at all.
      return await verifyMessage(signed).catch(() => false)
    },
    verifyTypedData: absent,
    readContract: absent,
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
