import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { localDirectory } from '../../ops/process/paths.ts'
import type { Deployment } from '../contracts/deploy.ts'

const hex = z.templateLiteral(['0x', z.string()])

const deploymentSchema = z.object({
  chainId: z.number(),
  name: z.string(),
  market: hex,
  forwarder: hex,
  bound: z.literal(true).exactOptional(),
  usdc: hex,
  usdcDomain: z.object({ name: z.string(), version: z.string() }),
  multicall3: hex,
  identityRegistry: hex,
  reputationRegistry: hex,
  identityRegistrar: hex,
  sponsoredTasksHook: hex.exactOptional(),
  sponsoredVaultFactory: hex.exactOptional(),
  bonusHook: hex.exactOptional(),
  rewardToken: hex.exactOptional(),
  serviceAgentId: z.string().exactOptional(),
  startBlock: z.number(),
  libraries: z.record(z.string(), hex),
  explorer: z.string().exactOptional(),
  identityStartBlock: z.number().exactOptional(),
}) satisfies z.ZodType<Deployment>

const instanceSchema = z.object({
  /** Name of the chain, and of its directory and its database. Each chain has a database of its own. */
  id: z.string(),
  /** The `deploymentKey` at the time of the deployment on this chain. */
  deploymentKey: z.string(),
  deployment: deploymentSchema,
  /** URL of the Postgres server with the chain's database, without the password. */
  server: z.string(),
  /** The newest block that was recorded for this chain. A loaded chain without this block is another chain. */
  head: z.object({ number: z.string(), hash: z.string() }),
  /** The secret with which the service signs download links to artifacts. */
  urlSigningSecret: z.string(),
  isSeeded: z.boolean(),
})

/** A local chain, and the database with the tables of this chain. A later start can continue both. */
export type ChainInstance = z.infer<typeof instanceSchema>

const instanceFile = join(localDirectory, 'chain.json')
/** Directory of the saved chains. Normally it contains one chain. An interrupted start may leave another one. */
const chainsDirectory = join(localDirectory, 'chains')

/** Returns a name for a new chain. */
export function newInstanceId(): string {
  return randomBytes(4).toString('hex')
}

/** Returns the chain of the last run; null if there is none, or if its file cannot be read. */
export function findInstance(): ChainInstance | null {
  try {
    return instanceSchema.parse(JSON.parse(readFileSync(instanceFile, 'utf8')))
  } catch {
    return null
  }
}

export function saveInstance(instance: ChainInstance): void {
  writeFileSync(instanceFile, `${JSON.stringify(instance, null, 2)}\n`, { mode: 0o600 })
}

/** Deletes the record of the last chain, and the files of all chains. The caller drops the last chain's database. */
export function removeInstance(): void {
  rmSync(instanceFile, { force: true })
  rmSync(chainsDirectory, { recursive: true, force: true })
}

/**
 * Returns the directory of a chain. The directory contains the chain's saved state, the contract addresses, and the
 * artifacts that were delivered on the chain.
 */
export function directoryOf(id: string): string {
  return join(chainsDirectory, id)
}

export function createDirectoryOf(id: string): string {
  mkdirSync(directoryOf(id), { recursive: true })
  return directoryOf(id)
}

export function statePathOf(id: string): string {
  return join(directoryOf(id), 'anvil.json')
}

export function hasState(id: string): boolean {
  return existsSync(statePathOf(id))
}

export function databaseNameOf(id: string): string {
  return `task_market_${id}`
}
