import type { Address, Hex } from 'viem'
import type { RelayMode } from '../../protocol/relay.ts'
import type { Database } from '../db/client.ts'
import { createChainIntentIds } from '../intents/chain-intent-ids.ts'
import type { DirectRelays } from '../intents/direct-relay.ts'
import type { Operation } from '../intents/operations.ts'
import { createIndexedBlocks, type IndexedBlocks } from './indexed-blocks.ts'
import { createIntentOutcomes, type IntentOutcomes } from './intent-outcomes.ts'
import { admitAll, type LegalCheck } from './legal-acceptance.ts'
import { createTaskTurns, type TaskTurns } from './task-turns.ts'

/** The pipeline's state in this process; everything that must outlive it is in the database. */
export interface WriteServices {
  legal: LegalCheck
  keysInProgress: KeysInProgress
  turnAt: TaskTurns
  outcomes: IntentOutcomes
  indexedBlocks: IndexedBlocks
  /** Returns a new id for the forwarder to consume. */
  nextChainIntentId: () => Hex
  relayer: RelayerPort
  /** Listens for outcomes and indexed blocks. Before it, waiting requests poll. */
  start(): Promise<void>
  /** Ends every wait at once (their requests answer `intent_in_flight`) and stops listening. */
  stop(): Promise<void>
}

/** The relayer's part of a write: simulation, signature, and its balance. */
export interface RelayerPort extends DirectRelays {
  /** The account of simulations. */
  address: Address
  /**
   * Returns true if one relayer of this service can pay for a transaction now.
   * @throws ChainUnavailable
   */
  isFunded(): Promise<boolean>
  /** Stores the result of a simulation for the next signature. */
  simulations: {
    keep(call: { chainIntentId: Hex; mode: RelayMode | null }, found: { gas: bigint; simulatedAt: number }): void
  }
  /** Signs writes at their bind from now on; before, the outbox signs all of them. */
  relayDirectly(relays: DirectRelays): void
}

/** Creates the services, without side effects until `start`. Without a `legal` check no write needs a receipt. */
export function createWriteServices(sql: Database, relayer: RelayerPort, legal: LegalCheck = admitAll): WriteServices {
  const outcomes = createIntentOutcomes(sql)
  const indexedBlocks = createIndexedBlocks(sql)
  return {
    legal,
    keysInProgress: createKeysInProgress(),
    turnAt: createTaskTurns(),
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

/** A request that holds a key. */
export interface KeyHolder {
  operation: Operation
  /** sha-256 of operation, path and body. */
  fingerprint: Buffer
  /** The id of its reservation; null: none yet. */
  intentId: string | null
  /** True once the key may be bound, so that only the database has its state. */
  isBinding: boolean
}

/** The idempotency keys of running requests in this process. */
interface KeysInProgress {
  /**
   * Takes a key for a request; `release` returns it.
   * @returns without `release` when another request holds it: that one is the holder
   */
  hold(
    key: string,
    request: Pick<KeyHolder, 'operation' | 'fingerprint'>,
  ): { holder: KeyHolder; release: (() => void) | null }
}

/**
 * Spares losers of a race the work: while one request holds a key, others are refused at once. It decides nothing:
 * between processes, and in the end within one too, the database lets exactly one bind (see `bind.ts`).
 */
function createKeysInProgress(): KeysInProgress {
  const holders = new Map<string, KeyHolder>()
  return {
    hold: (key, { operation, fingerprint }) => {
      const other = holders.get(key)
      if (other !== undefined) return { holder: other, release: null }
      const holder = { operation, fingerprint, intentId: null, isBinding: false }
      holders.set(key, holder)
      return { holder, release: () => holders.delete(key) }
    },
  }
}
