import type { Address } from 'viem'
import { type DiskRoom, readDiskRoom } from '../../metrics/disk-room.ts'
import type { Chain, ChainClocks } from '../chain/chain.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import { type Backlog, countBacklog, countConnections } from '../intents/backlog.queries.ts'
import { type Books, findBooks } from '../read-model/books.queries.ts'
import { findIndexedHead, type IndexedHead } from '../read-model/indexed-head.queries.ts'
import type { Certificates } from './certificates.ts'
import { type DatabaseServer, findDatabaseServer } from './database-server.queries.ts'
import { createProbe, type Probe } from './probe.ts'

/** The lag of the indexer behind the chain. */
export interface IndexerLag {
  blocks: number
  seconds: number
  head: IndexedHead
}

/** One relayer key: its nonce sequence here and its account on chain. */
export interface RelayerState {
  address: Address
  nextNonce: bigint
  minedNonce: bigint
  balanceWei: bigint
  /** True if its ether is below the highest cost of one relayed write now. */
  isUnderfunded: boolean
  /** The failures of its signer since the last signature; a key of this process has none. */
  signerFailures: number
}

type RelayerDays = Pick<RelayerState, 'address'> & {
  /** The days until its ether is spent; null: it signed nothing lately. */
  days: number | null
}

/** The external sources of readiness and metrics, each bounded and shared. */
export interface Sources {
  /** A round trip through the pool, including the wait for a connection. */
  database: Probe<void>
  /** A write, which fails on a full disk or a standby. */
  databaseWrites: Probe<void>
  chain: Probe<ChainClocks>
  indexer: Probe<IndexerLag>
  relayers: Probe<RelayerState[]>
  runways: Probe<RelayerDays[]>
  backlog: Probe<Backlog>
  connections: Probe<{ state: string; count: number }[]>
  databaseServer: Probe<DatabaseServer>
  storage: Probe<void>
  /** The disk of files. */
  disk: Probe<DiskRoom>
  /** The age of the newest published export, seconds; null: no place of exports is set. */
  exportAge: Probe<number | null>
  /** The days by the last reading: no scrape waits for a certificate. */
  certificates: Certificates['remaining']
  /** The results of the comparison of rows and contracts, of any process. */
  books: Probe<Books>
}

export interface SourceOptions {
  sql: Database
  chain: Chain
  config: Pick<Config, 'REPLACE_AFTER_MS' | 'ARTIFACT_DIR'>
  readRelayers: () => Promise<RelayerState[]>
  readRunways: () => Promise<RelayerDays[]>
  certificates: Pick<Certificates, 'remaining'>
  /** Checks cheaply that files can be stored; rejects otherwise. */
  probeStorage: () => Promise<void>
  readExportAge: () => Promise<number | null>
}

const LIMITS = { timeoutMs: 2_000, freshMs: 1_000 }
/** The limits of the storage probe: each request to a bucket costs money. */
const STORAGE_LIMITS = { timeoutMs: 2_000, freshMs: 10_000 }
/** The limits of slow figures, which are counted anew each time. */
const SLOW_LIMITS = { timeoutMs: 2_000, freshMs: 60_000 }

export function createSources({ sql, chain, config, ...reads }: SourceOptions): Sources {
  return {
    database: createProbe(async () => {
      await sql`select 1`
    }, LIMITS),
    databaseWrites: createProbe(async () => {
      await sql`
        insert into service.database_probe (probed_at) values (now())
        on conflict (is_one) do update set probed_at = excluded.probed_at`
    }, LIMITS),
    chain: createProbe(() => chain.latestClocks(), LIMITS),
    indexer: createProbe(() => measureLag(sql, chain), LIMITS),
    relayers: createProbe(reads.readRelayers, LIMITS),
    runways: createProbe(reads.readRunways, SLOW_LIMITS),
    backlog: createProbe(() => countBacklog(sql, config.REPLACE_AFTER_MS), LIMITS),
    connections: createProbe(() => countConnections(sql), LIMITS),
    databaseServer: createProbe(() => findDatabaseServer(sql), SLOW_LIMITS),
    storage: createProbe(reads.probeStorage, STORAGE_LIMITS),
    disk: createProbe(() => readDiskRoom(config.ARTIFACT_DIR), STORAGE_LIMITS),
    exportAge: createProbe(reads.readExportAge, STORAGE_LIMITS),
    certificates: reads.certificates.remaining,
    books: createProbe(() => findBooks(sql), LIMITS),
  }
}

/** Measures the lag of the rows behind the chain. @throws Error before the first block is indexed */
export async function measureLag(sql: Database, chain: Pick<Chain, 'head'>): Promise<IndexerLag> {
  // The newest known head: without a node the rows are as correct as before.
  const [head, indexed] = await Promise.all([chain.head(), findIndexedHead(sql)])
  if (indexed === null) throw new Error('the read model has no block yet')
  // The indexer may have a block that this node lacks.
  const blocks = largest(0n, head.number - indexed.blockNumber)
  const seconds = blocks === 0n ? 0n : largest(0n, head.timestamp - indexed.blockTimestamp)
  return { blocks: Number(blocks), seconds: Number(seconds), head: indexed }
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
