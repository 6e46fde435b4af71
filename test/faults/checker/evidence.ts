import type { Address, Hex } from 'viem'
import type { EvidenceLog } from '../environment/evidence-log.ts'

/** An event of the market, the forwarder, USDC, the bonus programme or a vault (claims alone), on the canonical chain. Addresses in `args` are lower case. */
export interface ChainEvent {
  contract: 'market' | 'forwarder' | 'usdc' | 'bonusHook' | 'vault'
  name: string
  args: Record<string, unknown>
  block: bigint
  txHash: Hex
}

/** A transaction on the canonical chain. */
export interface ChainTransaction {
  hash: Hex
  /** Lower case. */
  from: Address
  nonce: bigint
  succeeded: boolean
  /** Gas cost of its sender. */
  gasWei: bigint
}

/** The chain as the node reports it now. */
export interface ChainEvidence {
  /** In order. */
  events: readonly ChainEvent[]
  /** By hash; since the environment started. */
  transactions: ReadonlyMap<Hex, ChainTransaction>
  /** USDC, base units. */
  balances: { market: bigint; forwarder: bigint; wallets: ReadonlyMap<Address, bigint> }
  /** Views of the contracts. */
  views: { totalEscrow: bigint; fees: bigint }
  nonceSequences: readonly { relayer: Address; latest: bigint; pending: bigint }[]
  /** Those of the gas accounts' names that have code, lower case. */
  contracts: ReadonlySet<Address>
}

export interface IntentRow {
  id: string
  key: string
  status: string
  kind: string | null
  chainIntentId: Hex | null
  initiator: Address | null
  paymentNonce: Hex | null
  txHash: Hex | null
  refundStatus: string | null
  relayClass: string | null
  /** Account that has wei reserved for it; null: none. */
  gasAccount: string | null
}

export interface AttemptRow {
  intentId: string | null
  relayer: Address
  nonce: bigint
  hash: Hex
  purpose: string
  /** Milliseconds since the epoch. */
  signedAt: number
}

/** A row of `service.gas_accounts`. */
export interface GasAccountRow {
  name: string
  usedWei: bigint
}

/** The service's own tables. */
export interface TableEvidence {
  intents: readonly IntentRow[]
  attempts: readonly AttemptRow[]
  nonceSequences: readonly { relayer: Address; nextNonce: bigint }[]
  gasAccounts: readonly GasAccountRow[]
}

/** A row of `service.uploads` or `service.stored_files`. */
export interface FileRow {
  id: string
  /** The write it belongs to; null: none. */
  intentId: string | null
  ageSeconds: number
  /** Time since that write failed for good; null otherwise. */
  failedForSeconds: number | null
}

/** The row of a delivered file. */
export interface ArtifactRow {
  id: string
  taskId: Hex
  worker: Address
  deliverable: Hex
  displayOrder: number
}

export interface ManifestRow {
  taskId: Hex
  worker: Address
  deliverable: Hex
  manifest: string
}

/** An object in storage, and the hashes of its bytes. */
export interface StoredObject {
  area: 'uploads' | 'artifacts'
  id: string
  sizeBytes: number
  sha256Hash: string
  keccak256Hash: Hex
}

/** Rows of files, and the objects in storage. */
export interface FileEvidence {
  uploads: readonly FileRow[]
  storedFiles: readonly FileRow[]
  artifacts: readonly ArtifactRow[]
  manifests: readonly ManifestRow[]
  objects: readonly StoredObject[]
  /** Other files in storage: temporary ones. */
  others: readonly { path: string; ageSeconds: number }[]
}

/** The input of every check: the chain, the tables, the files, and the requests of clients with their answers. */
export interface Evidence {
  deployment: { market: Address; forwarder: Address }
  log: EvidenceLog
  chain: ChainEvidence
  tables: TableEvidence
  files: FileEvidence
}
