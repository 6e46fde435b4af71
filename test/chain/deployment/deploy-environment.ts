import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Anvil, startAnvil } from '../../../scripts/chain/anvil.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { connectReader, type ReadClient } from '../../../scripts/contracts/chain.ts'
import { runDeploy } from '../../../scripts/contracts/deployment/command.ts'
import type { CommandIo } from '../../../scripts/contracts/deployment/command-io.ts'
import { type Plan, planDeployment } from '../../../scripts/contracts/deployment/plan.ts'
import { type RecordedSetup, toSetup } from '../../../scripts/contracts/deployment/recorded-setup.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { untilMined } from '../../../scripts/contracts/until-mined.ts'

/** The owner is not the deployer, and there is a guardian, a relayer and a programme. */
export const exampleSetup: RecordedSetup = {
  deployer: devAccount('deployer').account.address,
  owner: devAccount('alice').account.address,
  feeRecipient: devAccount('feeRecipient').account.address,
  feeBps: 500,
  serviceName: 'service',
  publicBaseUrl: 'https://market.example',
  relayers: [devAccount('relayer1').account.address],
  guardian: devAccount('bob').account.address,
  rewardToken: 'local',
}

/** The arguments that name `exampleSetup`, but the deployer. */
export const setupWords = [
  ['--owner', exampleSetup.owner],
  ['--fee-recipient', exampleSetup.feeRecipient],
  ['--fee-bps', String(exampleSetup.feeBps)],
  ['--public-base-url', exampleSetup.publicBaseUrl],
  ...exampleSetup.relayers.map((relayer) => ['--relayer', relayer]),
  ['--guardian', String(exampleSetup.guardian)],
  ['--reward-token', 'local'],
].flat()

export const examplePlan = (): Plan => planDeployment(localNetwork, toSetup(exampleSetup))

export interface DeployEnvironment {
  anvil: Anvil
  client: ReadClient
  folder: string
  /** The deployment file of the commands. */
  file: string
}

/** A chain of its own for a file of tests; before each of them it and the deployment file are as `prepare` left them. */
export function useDeployEnvironment(prepare: (environment: DeployEnvironment) => Promise<unknown> = async () => {}) {
  const environment = {} as DeployEnvironment
  let snapshot: unknown
  let prepared: string | null = null
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'task-market-deploy-'))
    const anvil = await startAnvil()
    Object.assign(environment, { anvil, folder, file: join(folder, 'deployment.json') })
    environment.client = await connectReader(anvil.url)
    await prepare(environment)
    prepared = existsSync(environment.file) ? readFileSync(environment.file, 'utf8') : null
    snapshot = await anvil.request('evm_snapshot')
  })
  beforeEach(async () => {
    if (prepared === null) rmSync(environment.file, { force: true })
    else writeFileSync(environment.file, prepared)
    await environment.anvil.request('evm_revert', [snapshot])
    snapshot = await environment.anvil.request('evm_snapshot')
  })
  afterAll(async () => {
    await environment.anvil.stop()
    rmSync(environment.folder, { recursive: true })
  })
  return environment
}

export interface Ran {
  exitCode: number
  lines: string[]
  text: string
}

/** Runs `npm run deploy` in this process, on the chain and the file of the environment, with the deployer's key. */
export async function runCommand(
  { anvil, file }: DeployEnvironment,
  words: string[],
  { env, say, polling }: Partial<CommandIo> = {},
): Promise<Ran> {
  const lines: string[] = []
  const place = ['--network', localNetwork.name, '--rpc-url', anvil.url, '--local', '--file', file]
  const exitCode = await runDeploy([...words, ...place], {
    ...(polling && { polling }),
    env: env ?? { DEPLOYER_KEY: devAccount('deployer').privateKey },
    say: (line) => {
      lines.push(line)
      say?.(line)
    },
  })
  return { exitCode, lines, text: lines.join('\n') }
}

export const stop = new Error('the test ends the run here')

/** Ends a run at a line that begins with a word, as if its process ended there. */
export const stopAt = (word: string) => (line: string) => {
  if (line.startsWith(word)) throw stop
}

/** Sends a transaction in the name of any account, which a chain of anvil's allows. */
export async function sendAs({ anvil }: DeployEnvironment, from: Address, call: { to: Address; data: Hex }) {
  await anvil.request('anvil_setBalance', [from, '0xde0b6b3a7640000'])
  await anvil.request('anvil_impersonateAccount', [from])
  const hash = await anvil.request('eth_sendTransaction', [{ from, ...call, gas: '0x7a1200' }])
  const receipt = await untilMined((method, params) => anvil.request(method, params), hash as Hex)
  if (receipt.status !== '0x1') throw new Error(`${from} could not call ${call.to}`)
}

/** How many transactions an account has sent; a node mines them behind its answer. */
export async function countSent({ client }: DeployEnvironment, of: Address = exampleSetup.deployer): Promise<number> {
  return client.getTransactionCount({ address: getAddress(of), blockTag: 'pending' })
}
