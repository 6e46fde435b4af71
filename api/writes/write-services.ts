import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import { createFailpoint, type ReachFailpoint } from '../failpoint.ts'
import { createChainIntentIds } from '../intents/chain-intent-ids.ts'
import { mostGasOfACall } from '../intents/hook-gas.ts'
import type { Relayer } from '../relayer/transactions/relayer.ts'
import { createGasMoney, type GasMoney } from '../relayer/transactions/relayer-balances.ts'
import { createIndexedBlocks, type IndexedBlocks } from './indexed-blocks.ts'
import { createIntentOutcomes, type IntentOutcomes } from './intent-outcomes.ts'
import { createHeldKeys, type HeldKeys } from './keys-in-progress.ts'
import { admitEverybody, type LegalGate } from './legal-acceptance.ts'

/** What the write pipeline keeps in this process; the database holds everything that must outlive it. */
export interface WriteServices {
  legal: LegalGate
  heldKeys: HeldKeys
  outcomes: IntentOutcomes
  indexedBlocks: IndexedBlocks
  /** A fresh id for the forwarder to consume. */
  nextChainIntentId: () => Hex
  /** The accounts that pay the gas; at least one. Each is one nonce lane. */
  relayers: readonly [Relayer, ...Relayer[]]
  /** What they have left to pay with. */
  gasMoney: GasMoney
  reach: ReachFailpoint
  /** Listens for outcomes. Until then, and without it, waiting requests find out by asking. */
  start(): Promise<void>
  /** Ends every wait at once (their requests answer `intent_in_flight`) and stops listening. */
  stop(): Promise<void>
}

type WriteSettings = Pick<Config, 'RELAYER_KEYS' | 'MAX_RELAY_GAS' | 'FAILPOINT'>

/** Has no side effect until it is started. Without a `legal` gate no write needs a receipt. */
export function createWriteServices(
  sql: Database,
  config: WriteSettings,
  legal: LegalGate = admitEverybody,
): WriteServices {
  const outcomes = createIntentOutcomes(sql)
  const indexedBlocks = createIndexedBlocks(sql)
  const relayers = relayersOf(config.RELAYER_KEYS)
  return {
    legal,
    heldKeys: createHeldKeys(),
    outcomes,
    indexedBlocks,
    nextChainIntentId: createChainIntentIds(),
    relayers,
    gasMoney: createGasMoney(relayers, mostGasOfACall(BigInt(config.MAX_RELAY_GAS))),
    reach: createFailpoint(config.FAILPOINT),
    start: () => outcomes.start(),
    stop: () => {
      indexedBlocks.stop()
      return outcomes.stop()
    },
  }
}

function relayersOf(keys: readonly string[]): WriteServices['relayers'] {
  const [first, ...rest] = keys.map(toRelayer)
  if (first === undefined) throw new Error('a relayer key is needed')
  return [first, ...rest]
}

function toRelayer(key: string): Relayer {
  const account = privateKeyToAccount(key as `0x${string}`)
  return {
    address: account.address.toLowerCase() as Relayer['address'],
    sign: (transaction) => account.signTransaction({ ...transaction, type: 'eip1559' }),
  }
}
