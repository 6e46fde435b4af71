import type { Address, Hex } from 'viem'
import type { RelayMode } from '../../protocol/relay.ts'
import type { Database } from '../db/client.ts'
import { createChainIntentIds } from '../intents/chain-intent-ids.ts'
import { createIndexedBlocks, type IndexedBlocks } from './indexed-blocks.ts'
import { createIntentOutcomes, type IntentOutcomes } from './intent-outcomes.ts'
import { admitAll, type LegalCheck } from './legal-acceptance.ts'

/** What the write pipeline keeps in this process; the database holds everything that must outlive it. */
export interface WriteServices {
  legal: LegalCheck
  keysInProgress: KeysInProgress
  outcomes: IntentOutcomes
  indexedBlocks: IndexedBlocks
  /** A fresh id for the forwarder to consume. */
  nextChainIntentId: () => Hex
  relayer: RelayerPort
  /** Listens for outcomes and indexed blocks. Until then, and without it, waiting requests find out by asking. */
  start(): Promise<void>
  /** Ends every wait at once (their requests answer `intent_in_flight`) and stops listening. */
  stop(): Promise<void>
}

/** What a write is simulated with, and whether it could be sent. */
export interface RelayerPort {
  /** The account that simulations are made as. */
  address: Address
  /**
   * Whether one relayer of this service can pay for a transaction now.
   * @throws ChainUnavailable
   */
  isFunded(): Promise<boolean>
  /** Keeps what a simulation found for the transaction that is signed next. */
  simulations: {
    keep(call: { chainIntentId: Hex; mode: RelayMode | null }, found: { gas: bigint; simulatedAt: number }): void
  }
}

/** Has no side effect until it is started. Without a `legal` check no write needs a receipt. */
export function createWriteServices(sql: Database, relayer: RelayerPort, legal: LegalCheck = admitAll): WriteServices {
  const outcomes = createIntentOutcomes(sql)
  const indexedBlocks = createIndexedBlocks(sql)
  return {
    legal,
    keysInProgress: createKeysInProgress(),
    outcomes,
    indexedBlocks,
    nextChainIntentId: createChainIntentIds(),
    relayer,
    start: async () => {
      await Promise.all([outcomes.start(), indexedBlocks.start()])
    },
    stop: async () => {
      await Promise.all([outcomes.stop(), indexedBlocks.stop()])
    },
  }
}

/** The idempotency keys that requests of this process are working on. */
interface KeysInProgress {
  /** Takes a key; null when another request has it. The returned function gives it back. */
  hold(key: string): (() => void) | null
}

/**
 * Spares losers of a race the work: while one request works on a key, another is told so at once. It decides nothing:
 * between processes, and in the end within one too, the database lets exactly one bind (see `bind.ts`).
 */
function createKeysInProgress(): KeysInProgress {
  const held = new Set<string>()
  return {
    hold: (key) => {
      if (held.has(key)) return null
      held.add(key)
      return () => held.delete(key)
    },
  }
}
