import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { isAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Deployment } from '../deployment/deployment.ts'
import { registeredAddressShape } from '../http/command-shapes.ts'
import { balanceShape } from '../http/shapes.ts'
import { withdrawalAddressMessage } from '../identity/withdrawal-address-message.ts'
import { type MadeFor, writeKeystore } from '../keystore/keystore.ts'
import { toUsdc } from '../payments/usdc-text.ts'
import { takeLease } from '../store/file-lease.ts'
import { readSettings, writeDurably } from '../store/file-store.ts'
import { addBoundOnlyCommand } from './bound-only-command.ts'
import { confirm } from './confirm.ts'
import { addConsentCommand } from './consent-command.ts'
import { dataOf } from './http-answer.ts'
import { CliError, exits, type Io } from './io.ts'
import { printRecord } from './report.ts'
import { checkKey, findDeployment, homeOf, openClient, readPassword } from './session.ts'
import type { Options } from './task-writes.ts'
import { showUsdc, toUnits } from './usdc.ts'
import { addWriteOptions, performWrite } from './write-command.ts'

/** Adds `wallet ...`: keys, balance, limits and withdrawals. */
export function addWalletCommands(program: Command, io: Io): void {
  const wallet = program.command('wallet').description('keys, balance, limits and withdrawals')
  wallet
    .command('new')
    .description('make a key, in a keystore with a password')
    .action(async (_: Options, self: Command) => {
      const options = self.optsWithGlobals()
      await saveKey(io, options, {
        privateKey: generatePrivateKey(),
        madeFor: toMadeFor(await findDeployment(io, options)),
      })
    })
  wallet
    .command('import')
    .description('keep the key of TASK_MARKET_PRIVATE_KEY in a keystore with a password')
    .action((_: Options, self: Command) =>
      // An imported key is older than its keystore, so the deployment that it was made for is unknown.
      saveKey(io, self.optsWithGlobals(), { privateKey: checkKey(io.env.TASK_MARKET_PRIVATE_KEY), madeFor: null }),
    )
  wallet
    .command('balance')
    .description('USDC of the wallet')
    .action(async (_: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const { http, context } = await openClient(io, options, { needsAccount: true })
      const address = context.account?.address ?? ''
      const answer = await http.GET('/api/wallet/balance', { params: { query: { address } } })
      const url = `${context.url}/api/wallet/balance`
      const data = dataOf(answer, { url, shape: balanceShape, refused: 'The balance cannot be read:' })
      // The balance has the format of lists on a terminal; a program gets the whole answer.
      const balanceRecord =
        io.isTerminal && !options.json ? { balance: `${showUsdc(data.balanceBaseUnits)} USDC` } : data
      printRecord(io, { address, ...balanceRecord }, { json: options.json })
    })
  wallet
    .command('limits')
    .description('show the limits of the wallet, or set them in its configuration')
    .option('--per-call <usdc>', 'for one write', toUnits)
    .option('--per-day <usdc>', 'in 24 hours', toUnits)
    .option('--per-task <usdc>', 'for one task', toUnits)
    .option('--ask-above <usdc>', 'what models may decide in 24 hours without a person', toUnits)
    .action((_: Options, self: Command) => changeLimits(io, self.optsWithGlobals()))
  wallet
    .command('set-withdrawal-address <address>')
    .description('register where withdrawals go, once; its recovery code is shown once')
    .action((address: string, _: Options, self: Command) => register(io, self.optsWithGlobals(), address))
  addConsentCommand(wallet, io)
  addBoundOnlyCommand(wallet, io)
  addWriteOptions(wallet.command('withdraw <usdc>').description('send USDC to the registered address'))
    .option('--to <address>', 'the registered address, where the configuration does not have it')
    .action((amount: string, _: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const input = { amountBaseUnits: toUnits(amount), ...(options.to !== undefined && { to: options.to }) }
      return performWrite(io, options, { name: 'withdraw', input })
    })
  addWriteOptions(wallet.command('withdraw-token').description('send the reward tokens to the registered address'))
    .option('--to <address>', 'the registered address, where the configuration does not have it')
    .action((_: Options, self: Command) => {
      const options = self.optsWithGlobals()
      return performWrite(io, options, {
        name: 'withdrawToken',
        input: options.to === undefined ? {} : { to: options.to },
      })
    })
}

function toMadeFor(deployment: Deployment | null): MadeFor {
  if (deployment === null) return null
  const { chainId, market, local } = deployment
  return { chainId, market, local }
}

async function saveKey(
  io: Io,
  options: Options,
  { privateKey, madeFor }: { privateKey: `0x${string}`; madeFor: MadeFor },
): Promise<void> {
  const { address } = privateKeyToAccount(privateKey)
  const folder = join(homeOf(io), 'keystores')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${address.toLowerCase()}.json`)
  const password = await choosePassword(io)
  try {
    await writeKeystore(path, { privateKey, password, madeFor, terms: io.keystoreTerms })
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : 'The keystore cannot be made.', exits.usage)
  }
  const localFlag = madeFor === null ? {} : { local: madeFor.local }
  printRecord(io, { address, keystore: path, ...localFlag }, { json: options.json })
}

/**
 * Asks for the password of a new keystore twice, because with a mistyped password the key could never be decrypted.
 * @throws CliError
 */
async function choosePassword(io: Io): Promise<string> {
  const password = await readPassword(io, 'Password for the new keystore: ')
  if (password === '') throw new CliError('The password is empty.', exits.usage)
  const isTyped = io.env.TASK_MARKET_PASSWORD_FILE === undefined && io.env.TASK_MARKET_PASSWORD === undefined
  if (isTyped && (await readPassword(io, 'The same password again: ')) !== password) {
    throw new CliError('The passwords differ; no key was kept.', exits.usage)
  }
  return password
}

/**
 * A placeholder for the service's URL when no URL is configured. The client sends no request to it. The placeholder
 * does not point to this machine, so it does not make the deployment local.
 */
const NO_SERVICE = 'https://service.invalid'

async function changeLimits(io: Io, options: Options): Promise<void> {
  const { context } = await openClient(
    io,
    { url: io.env.TASK_MARKET_URL ?? NO_SERVICE, ...options },
    { needsAccount: true },
  )
  const { store, account } = context
  if (store === null || account === null) throw new CliError('There is no wallet.', exits.usage)
  const { perCall, perDay, perTask, askAbove } = options
  const changes = Object.entries({ perCall, perDay, perTask }).filter(([, value]) => value !== undefined)
  if (changes.length > 0) await changeConfig(io, account.address, { limits: Object.fromEntries(changes) })
  if (askAbove !== undefined) await changeConfig(io, account.address, { askAbove })
  const config = await store.config(account.address)
  const amounts = { ...config.limits, askAbove: config.askAbove }
  const amountTexts = Object.entries(amounts).map(([name, value]) => [name, toUsdc(value)])
  const { withdrawalAddress, hooks, tokenLimits } = config
  printRecord(io, { ...Object.fromEntries(amountTexts), withdrawalAddress, hooks, tokenLimits }, { json: options.json })
}

async function register(io: Io, options: Options, destination: string): Promise<void> {
  // Requires a valid checksum where the address has one: the wallet alone cannot change a registered address.
  if (!isAddress(destination))
    throw new CliError(`${destination} is no address, or its checksum is wrong.`, exits.usage)
  const { http, context } = await openClient(io, options, { needsAccount: true })
  const { account } = context
  if (account === null) throw new CliError('There is no wallet.', exits.usage)
  await confirm(io, options, `Withdrawals will go to ${destination}.`)
  const message = withdrawalAddressMessage(destination)
  const answer = await http.POST('/api/wallet/set-withdrawal-address', {
    body: {
      walletAddress: account.address,
      withdrawalAddress: destination,
      signature: await account.signMessage({ message }),
    },
  })
  const url = `${context.url}/api/wallet/set-withdrawal-address`
  const data = dataOf(answer, { url, shape: registeredAddressShape, refused: 'The address was not registered:' })
  // The recovery code is shown once, before any later step can fail.
  printRecord(io, data, { json: options.json })
  await changeConfig(io, account.address, { withdrawalAddress: destination })
}

/** Changes the given settings in the wallet's configuration file, and keeps all other settings. */
async function changeConfig(
  io: Io,
  address: string,
  changes: { limits?: object; askAbove?: string; withdrawalAddress?: string },
): Promise<void> {
  const folder = join(homeOf(io), address.toLowerCase())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'config.json')
  // The lease prevents a concurrent command from overwriting this change.
  const lease = await takeLease(join(folder, 'lock'), Date.now)
  try {
    // An unreadable configuration is not replaced: its limits would be lost.
    const before = await readSettings(path)
    const limits = { ...(before.limits as object | undefined), ...changes.limits }
    await writeDurably(path, JSON.stringify({ ...before, ...changes, limits }, null, 2))
  } finally {
    await lease.release()
  }
}
