import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Account } from '../../../client/src/account/account.ts'
import { type Client, type ClientOptions, createClient } from '../../../client/src/create-client.ts'
import { fileStore } from '../../../client/src/store/file-store.ts'
import type { Actor } from '../actors.ts'
import type { ConformanceStack } from '../conformance.ts'

/** Short pauses: the service of a test answers at once. */
export const quickTiming = { requestMs: 20_000, waitMs: 40_000, pauseMs: 50, maxPauseMs: 400 }

/** A folder for wallets, deleted after the test. */
export function aWalletDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-wallets-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A client of the shared stack for a wallet, with files of its own and the chain's clock. */
export function aClient(wallet: Pick<Actor, 'account'>, options: Partial<ClientOptions> = {}): Client {
  return aClientOf(inject('conformanceStack'), wallet, options)
}

/** The same of a stack that a test file has for itself. */
export function aClientOf(
  { baseUrl, rpcUrl, deployment }: Pick<ConformanceStack, 'baseUrl' | 'rpcUrl' | 'deployment'>,
  { account }: { account: Account },
  options: Partial<ClientOptions> = {},
): Client {
  return createClient({
    url: baseUrl,
    account,
    deployment,
    rpcUrl,
    store: fileStore({ directory: aWalletDirectory() }),
    timing: quickTiming,
    // The wallets of tests are made for a local chain.
    onWarning: () => {},
    ...options,
  })
}
