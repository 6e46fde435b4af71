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

/** The state of one relayer: nonces in the database and on chain, balance and signer. */
export interface RelayerState {
  address: Address
  nextNonce: bigint
  minedNonce: bigint
  balanceWei: bigint
  /** True if the balance is below the highest current cost of one relayed write. */
  isUnderfunded: boolean
  /** The number of the signer's failures since the last signature. 0 for a key in this process. */
  signerFailures: number
}

type RelayerDays = Pick<RelayerState, 'address'> & {
  /**
   * The number of days for which the relayer's ether lasts; null if the relayer signed nothing in the last seven days.
   */
  days: number | null
}

/**
 * The measurements for readiness and metrics. Each measurement has a time limit. Concurrent callers share one
 * measurement.
 */
export interface Sources {
  /** Measures the time of a query: the wait for a connection of the pool, and the round trip to the database. */
  database: Probe<void>
  /** Checks that the database accepts writes. The check fails with a full disk or on a standby. */
  databaseWrites: Probe<void>
  chain: Probe<ChainClocks>
  indexer: Probe<IndexerLag>
  relayers: Probe<RelayerState[]>
  runways: Probe<RelayerDays[]>
  backlog: Probe<Backlog>
  connections: Probe<{ state: string; count: number }[]>
  databaseServer: Probe<DatabaseServer>
  storage: Probe<void>
  /** Reads the free space and the size of the disk for files. */
  disk: Probe<DiskRoom>
  /** Reads the age of the newest published export, in seconds; null if no place for exports is configured. */
  exportAge: Probe<number | null>
  /**
   * Returns the days until the certificates expire. Uses the certificates that were read last, so a scrape waits for no
   * certificate.
   */
  certificates: Certificates['remaining']
  /** Reads the last results of the comparison between rows and contracts. Any process may have made the comparison. */
  books: Probe<Books>
}

export interface SourceOptions {
  sql: Database
  chain: Chain
  config: Pick<Config, 'REPLACE_AFTER_MS' | 'ARTIFACT_DIR'>
  readRelayers: () => Promise<RelayerState[]>
  readRunways: () => Promise<RelayerDays[]>
  certificates: Pick<Certificates, 'remaining'>
  /** Checks at low cost that files can be stored. Rejects if they cannot be stored. */
  probeStorage: () => Promise<void>
  readExportAge: () => Promise<number | null>
}

const LIMITS = { timeoutMs: 2_000, freshMs: 1_000 }
/**
 * The limits of the storage probe, in milliseconds. A result is used for long, because each request to a bucket costs
 * money.
 */
const STORAGE_LIMITS = { timeoutMs: 2_000, freshMs: 10_000 }
/** The limits of measurements that cost the database much time. A result is used for a minute. */
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

/** Measures how far the indexed rows are behind the chain. @throws Error before the first block is indexed */
export async function measureLag(sql: Database, chain: Pick<Chain, 'head'>): Promise<IndexerLag> {
  // The newest known head: without a node the rows are as correct as before.
  const [head, indexedHead] = await Promise.all([chain.head(), findIndexedHead(sql)])
  if (indexedHead === null) throw new Error('the read model has no block yet')
  // The indexer may have a block that this node lacks.
  const blocks = largest(0n, head.number - indexedHead.blockNumber)
  const seconds = blocks === 0n ? 0n : largest(0n, head.timestamp - indexedHead.blockTimestamp)
  return { blocks: Number(blocks), seconds: Number(seconds), head: indexedHead }
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
