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

/** The state of the write pipeline in this process. It is lost when the process ends. */
export interface WriteServices {
  legal: LegalCheck
  keysInProgress: KeysInProgress
  turnAt: TaskTurns
  outcomes: IntentOutcomes
  indexedBlocks: IndexedBlocks
  /** Returns a new id that the forwarder marks as used when it makes the call. */
  nextChainIntentId: () => Hex
  relayer: RelayerPort
  /** Starts listening for outcomes and indexed blocks. Until then, waiting requests poll. */
  start(): Promise<void>
  /** Stops listening and ends every wait at once. The waiting requests answer `intent_in_flight`. */
  stop(): Promise<void>
}

/** The functions of the relayer that a write uses: simulation, signature and a check of the balance. */
export interface RelayerPort extends DirectRelays {
  /** The sender address of simulations. */
  address: Address
  /**
   * Returns true if at least one relayer of this service can pay for a transaction now.
   * @throws ChainUnavailable
   */
  isFunded(): Promise<boolean>
  /** Stores simulation results. The next signature then needs no new simulation. */
  simulations: {
    keep(call: { chainIntentId: Hex; mode: RelayMode | null }, simulation: { gas: bigint; simulatedAt: number }): void
  }
  /**
   * Sets the service that signs a contract call in the database transaction that binds the call's write. Until
   * `relayDirectly` is called, the outbox signs all contract calls.
   */
  relayDirectly(relays: DirectRelays): void
}

/**
 * Creates the write services of this process. They have no side effects until `start`. Without `legal`, no write needs
 * a receipt.
 */
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

/** The running request that holds an idempotency key. */
export interface KeyHolder {
  operation: Operation
  /** The SHA-256 hash of the request's operation, path and body. */
  fingerprint: Buffer
  /** The id of the intent that reserves the idempotency key; null if the key is not reserved yet. */
  intentId: string | null
  /** True once the request has begun to bind its write. After that, only the database can tell if the key is used. */
  isBinding: boolean
}

/** The idempotency keys of running requests in this process. */
interface KeysInProgress {
  /**
   * Takes a key for a request, unless another request holds the key.
   * @returns `holder`: the request that holds the key now. `release`: the function that frees the key; null if another
   * request holds the key
   */
  hold(
    key: string,
    request: Pick<KeyHolder, 'operation' | 'fingerprint'>,
  ): { holder: KeyHolder; release: (() => void) | null }
}

/**
 * Creates the register of idempotency keys in use. While one request holds a key, every further request with the same
 * key is refused early. The register only saves work. The database ensures that at most one request with a key binds
 * its write (see `bind.ts`).
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
