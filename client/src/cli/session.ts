import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Account } from '../account/account.ts'
import { type Client, createClient } from '../create-client.ts'
import { type Deployment, findDeploymentFile, readDeployment } from '../deployment/deployment.ts'
import { findRealKeyProblem } from '../deployment/real-key.ts'
import { openKeystore, readMadeFor } from '../keystore/keystore.ts'
import { defaultDirectory, fileStore } from '../store/file-store.ts'
import { CliError, exits, type Io } from './io.ts'
import { findReceipt } from './legal-receipts.ts'
import { warnOfRealKey } from './real-key-warning.ts'
import type { Options } from './task-writes.ts'

/** Returns the folder that contains the wallets' files and keystores. */
export function homeOf({ env }: Io): string {
  return env.TASK_MARKET_HOME || defaultDirectory()
}

/**
 * Creates a client from the command's options and the environment.
 * @throws CliError
 */
export async function openClient(io: Io, options: Options, { needsAccount = false } = {}): Promise<Client> {
  const url = options.url ?? io.env.TASK_MARKET_URL
  if (url === undefined) throw new CliError('Name the service: --url, or TASK_MARKET_URL.', exits.usage)
  const deployment = await findDeployment(io, { ...options, url })
  const account = await findAccount(io, { deployment, isRealKeyAllowed: options.realKey === true })
  if (needsAccount && account === null) {
    throw new CliError('Name the wallet: TASK_MARKET_KEYSTORE, or TASK_MARKET_PRIVATE_KEY.', exits.usage)
  }
  const rpcUrl = options.rpc ?? io.env.TASK_MARKET_RPC_URL
  // The URL may contain a key, so no message contains it.
  if (rpcUrl !== undefined && !URL.canParse(rpcUrl))
    throw new CliError('The address of the node is no URL.', exits.usage)
  try {
    const legalReceipt = await findLegalReceipt(io, url, account)
    return createClient({
      url,
      store: fileStore({ directory: homeOf(io) }),
      ...(account !== null && { account }),
      ...(rpcUrl !== undefined && { rpcUrl }),
      ...(legalReceipt !== null && { legalReceipt }),
      ...(deployment !== null && { deployment }),
      onWarning: () => {},
    })
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : 'The client cannot be made.', exits.usage)
  }
}

/**
 * Reads the deployment that the options or the environment name; null if neither names a deployment.
 * @throws CliError
 */
export async function findDeployment(io: Io, options: Options): Promise<Deployment | null> {
  const { deployment } = await readDeploymentFile(options.deployment ?? io.env.TASK_MARKET_DEPLOYMENT)
  if (deployment === undefined) return null
  const urls = [options.url ?? io.env.TASK_MARKET_URL, options.rpc ?? io.env.TASK_MARKET_RPC_URL]
  try {
    return readDeployment(deployment, urls)
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : 'The deployment cannot be read.', exits.usage)
  }
}

/**
 * Reads the password of a keystore from a file, the environment, or the terminal.
 * @throws CliError
 */
export async function readPassword(io: Io, question = 'Password: '): Promise<string> {
  const { TASK_MARKET_PASSWORD_FILE: file, TASK_MARKET_PASSWORD: password } = io.env
  if (file !== undefined) return (await readText(file)).replace(/\r?\n$/, '')
  const typedPassword = password ?? (await io.ask(question, true))
  if (typedPassword === null) {
    throw new CliError('Give the password: TASK_MARKET_PASSWORD_FILE or TASK_MARKET_PASSWORD.', exits.usage)
  }
  return typedPassword
}

/**
 * Returns the private key if it is valid.
 * @throws CliError when the key is missing or invalid; the message does not contain the key
 */
export function checkKey(key: string | undefined): Hex {
  try {
    if (!/^0x[0-9a-fA-F]{64}$/.test(key ?? '')) throw new Error('of another form')
    privateKeyToAccount(key as Hex)
    return key as Hex
  } catch {
    throw new CliError('TASK_MARKET_PRIVATE_KEY is no private key: 0x and 64 hex digits.', exits.usage)
  }
}

/**
 * Reads the account from the environment or a keystore file; null if neither is given. No command-line argument
 * contains a key, because other users of the machine can read the arguments.
 */
async function findAccount(
  io: Io,
  { deployment, isRealKeyAllowed }: { deployment: Deployment | null; isRealKeyAllowed: boolean },
): Promise<Account | null> {
  const { TASK_MARKET_PRIVATE_KEY: key, TASK_MARKET_KEYSTORE: keystore } = io.env
  const isLocal = deployment?.local === true
  if (key !== undefined) {
    const account = privateKeyToAccount(checkKey(key))
    if (!isRealKeyAllowed) await warnOfRealKey(io, account.address, { local: isLocal, home: homeOf(io) })
    return account
  }
  if (keystore === undefined) return null
  try {
    const account = await openKeystore(keystore, await readPassword(io))
    const { address } = account
    const problem = findRealKeyProblem({ address, madeFor: await readMadeFor(keystore) }, { local: isLocal })
    if (problem !== null && !isRealKeyAllowed) throw new CliError(problem, exits.forbidden)
    return account
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(error instanceof Error ? error.message : 'The keystore cannot be opened.', exits.forbidden)
  }
}

/**
 * Returns the legal receipt from the environment, else the receipt that `legal accept` stored; null if there is
 * neither.
 */
async function findLegalReceipt(io: Io, url: string, account: Account | null): Promise<string | null> {
  const environmentReceipt = io.env.TASK_MARKET_LEGAL_RECEIPT
  if (environmentReceipt !== undefined || account === null) return environmentReceipt ?? null
  return await findReceipt(homeOf(io), { wallet: account.address, url })
}

async function readDeploymentFile(path: string | undefined): Promise<{ deployment?: unknown }> {
  if (path === undefined) return {}
  const deploymentFile = findDeploymentFile(path)
  if (deploymentFile !== undefined) return { deployment: deploymentFile }
  try {
    const content = JSON.parse(await readText(path))
    // A stack.json nests its addresses under `addresses`.
    return { deployment: content?.addresses ? { local: true, ...content.addresses } : content }
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(`${path} is no JSON.`, exits.usage)
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw new CliError(`${path} cannot be read.`, exits.usage)
  }
}
