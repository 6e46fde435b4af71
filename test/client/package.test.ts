import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import type { AuctionType } from '../../protocol/rules/selectors.ts'
import { anActor } from '../support/actors.ts'
import { openEnvironment, startingBalance } from '../support/conformance.ts'
import { aClaimTask, anAuctionTask } from '../support/conformance-fixtures.ts'
import { isDeep } from '../support/depth.ts'
import { eras } from '../support/mcp-client.ts'
import { readManifest } from '../support/packages/package-source.ts'
import { must, type ServedPackages, servePackages } from '../support/packages/serve-packages.ts'
import { addDeclarations, compileConsumer } from './compile-consumer.ts'
import { listInstalledNodes } from './installed-nodes.ts'
import { readmePrograms, testReadme } from './readme-walk.ts'

const environment = openEnvironment()
/** Node 20 and 24 from npm, and the Node of this run where it is another one. */
const nodes = new Map([...listInstalledNodes(), process.execPath].map((path) => [versionOf(path), path]))
const folder = mkdtempSync(join(tmpdir(), 'task-market-package-'))
const installed = join(folder, 'node_modules', 'task-market-client')
/** The command line tool that npm has linked. */
const tool = join(folder, 'node_modules', '.bin', 'task-market')
let packages: ServedPackages

/** Imports every entry of the package, and prints one name of each. */
const entries = `
import { createClient } from 'task-market-client'
import { marketFetch } from 'task-market-client/fetch'
import { openKeystore } from 'task-market-client/keystore'
import { fileStore } from 'task-market-client/store'
import { verifyWebhook } from 'task-market-client/webhooks'
console.log([createClient, marketFetch, openKeystore, fileStore, verifyWebhook].map(({ name }) => name).join())
`

beforeAll(async () => {
  const served = join(folder, 'served')
  mkdirSync(served)
  packages = await servePackages(served, ['client'])
  writeFileSync(join(folder, 'package.json'), '{"name":"agent","version":"1.0.0","private":true,"type":"module"}')
  await must('npm', ['install', 'task-market-client', 'viem', '--prefix', folder], packages.environment)
  writeFileSync(join(folder, 'entries.mjs'), entries)
  for (const example of ['worker', 'requester']) {
    copyFileSync(join(repositoryRoot, 'client', 'examples', `${example}.mjs`), join(folder, `${example}.mjs`))
  }
})
afterAll(() => {
  packages.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Gives an account money, in a new block: the client signs by the time of the newest one. */
async function fund(address: Address): Promise<void> {
  await environment.chain.fund(address, startingBalance)
  await environment.chain.sendAs(address, { to: address, data: '0x' })
}

/** What the tool finds the stack and a new wallet by. */
async function aWallet(name: string) {
  const { baseUrl, rpcUrl, deploymentFile } = inject('conformanceStack')
  const { key, address } = anActor()
  await fund(address)
  return {
    TASK_MARKET_URL: baseUrl,
    TASK_MARKET_RPC_URL: rpcUrl,
    TASK_MARKET_DEPLOYMENT: deploymentFile,
    TASK_MARKET_HOME: join(folder, name),
    TASK_MARKET_PRIVATE_KEY: key,
  }
}

describe('The tarball', () => {
  test('given a platform that npm has Node 20 for, then the package is tried on it', () => {
    const hasNode20 = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(
      `${process.platform}-${process.arch}`,
    )
    expect([...nodes.keys()].some((version) => version.startsWith('v20.'))).toBe(hasNode20)
  })

  test('given its files, then they have the license, no path of this machine and no test, and import what its manifest names', () => {
    const files = globSync('**/*.*', { cwd: installed })
    expect(files.filter((path) => /(^|\/)(src|test)\/|\.test\./.test(path))).toEqual([])
    const texts = files.map((path) => readFileSync(join(installed, path), 'utf8'))
    expect(texts.filter((text) => text.includes(repositoryRoot))).toEqual([])
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toContain('MIT License')
    const { dependencies = {}, peerDependencies = {} } = readManifest(installed)
    const code = globSync('dist/**/*.{js,ts}', { cwd: installed }).map((path) =>
      readFileSync(join(installed, path), 'utf8'),
    )
    const imports = code.flatMap((text) => [...text.matchAll(/(?:from |import\()"((?:@[^/"]+\/)?[^./"][^/"]*)/g)])
    const names = imports.flatMap(([, name]) => (name?.startsWith('node:') ? [] : [name]))
    const declared = { ...dependencies, ...peerDependencies }
    expect(new Set(names)).toEqual(new Set(Object.keys(declared)))
    expect(Object.values(declared).filter((range) => !/^\^?\d/.test(range))).toEqual([])
  })

  test('given a program of a user and those of the README, then they compile, and a write that does not exist is refused', async () => {
    addDeclarations(folder)
    expect(readmePrograms.programs.length).toBeGreaterThan(3)
    expect(await compileConsumer(folder, readmePrograms)).toBe('')
  })

  test.each([...nodes])('given Node %s, then its entries are imported, and its tool answers', async (version, node) => {
    expect(await must(node, [join(folder, 'entries.mjs')])).toContain(
      'createClient,marketFetch,openKeystore,fileStore,verifyWebhook',
    )
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: eras.modern } })
    const env = await aWallet(`tool-${version}`)
    await client.connect(new StdioClientTransport({ command: node, args: [tool, 'mcp'], env }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('preview_write')
    await client.close()
  })

  test.each([...nodes].slice(0, 1))(
    'given Node %s, then its examples publish, enter, deliver and are paid in every mode',
    async (version, node) => {
      // Other tests leave open tasks of the usual tag.
      const tag = `packed-${version}`
      const [asRequester, asWorker] = [await aWallet(`requester-${version}`), await aWallet(`worker-${version}`)]
      const { address } = privateKeyToAccount(asWorker.TASK_MARKET_PRIVATE_KEY)
      const worker = await startExample(node, ['worker.mjs', tag], asWorker)
      const requested = must(node, [join(folder, 'requester.mjs'), tag], asRequester)
      const requester = await environment.aWallet()
      const auction = (type: AuctionType) => ({ ...anAuctionTask(type), bidDeadline: 1 })
      const auctions = { dutch: auction('dutch'), reverse_dutch: auction('reverse_dutch'), english: auction('english') }
      // What the worker does in each is another act; the requester publishes a bounty.
      const kinds = {
        benchmark: { mode: 'benchmark', metricDescription: 'Syllables', metricTarget: '17' },
        claim: aClaimTask({ stakeBps: 500 }),
        pitch: { mode: 'pitch', pitchDeadline: 3_600 },
        reverse_english: auction('reverse_english'),
        ...(isDeep && { ...auctions, bounty: {} }),
      }
      const tasks = new Map<string, Hex>()
      for (const [kind, fields] of Object.entries(kinds)) {
        tasks.set(kind, await environment.createTask(requester, { tags: [tag], ...fields }))
      }
      const read = async (taskId: Hex) => (await environment.get(`/tasks/${taskId}`)).body
      const until = async (kind: string, isReached: (task: Record<string, unknown>) => boolean) => {
        const taskId = tasks.get(kind) ?? '0x'
        await expect
          .poll(async () => isReached(await read(taskId)), { message: `${kind}\n${worker.output()}` })
          .toBe(true)
        return taskId
      }
      const pitched = await until('pitch', ({ pitchCount }) => pitchCount === 1)
      const [{ id: pitchId }] = (await environment.get(`/tasks/${pitched}/pitches`)).body
      const selection = { taskId: pitched, pitchId, workerAddress: address }
      expect((await environment.pay(requester, `/tasks/${pitched}/pitches/select`, selection)).status).toBe(200)
      for (const kind of [...tasks.keys()].filter((name) => name.endsWith('english'))) {
        await until(kind, ({ auctionBidCount }) => auctionBidCount === 1)
      }
      // A rating names its time, which has to be near that of the chain.
      expect(await requested).toContain(`paid ${address}`)
      await environment.chain.passTime(3_600)
      for (const kind of tasks.keys()) {
        const isDelivered = ({ submissionCount }: Record<string, unknown>) => Number(submissionCount) > 0
        await environment.accept(requester, await until(kind, isDelivered), {
          address: address.toLowerCase() as Address,
        })
        await until(kind, ({ status, primaryAward }) => {
          return status === 'completed' && (primaryAward as { workerAddress: string }).workerAddress === address
        })
      }
    },
    120_000,
  )
})

testReadme({ folder, packages: () => packages, fund })

/** Starts an example that runs until it is stopped, which the end of the test does. */
async function startExample(node: string, [name = '', ...args]: string[], variables: Record<string, string>) {
  const child = spawn(node, [join(folder, name), ...args], { env: { ...process.env, ...variables } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  onTestFinished(async () => {
    const exited = once(child, 'exit')
    if (child.exitCode === null && child.kill()) await exited
  })
  return { output: () => output }
}

function versionOf(node: string): string {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
}
