import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, inject, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { runCommand } from '../../scripts/stack/run-command.ts'
import { anActor } from '../support/actors.ts'
import { aWalletDirectory } from '../support/client/wallets.ts'
import { openEnvironment, startingBalance } from '../support/conformance.ts'
import { eras } from '../support/mcp-client.ts'

const environment = openEnvironment()
const modules = join(repositoryRoot, 'node_modules')

/** Builds the package and unpacks its tarball beside its dependencies, as an installation does. */
async function install(): Promise<string> {
  const folder = aWalletDirectory()
  const dist = join(repositoryRoot, 'client', 'dist')
  const compiler = join(modules, 'typescript', 'bin', 'tsc')
  await must(process.execPath, [compiler, '-p', join(repositoryRoot, 'client')])
  await must('npm', [
    'pack',
    join(repositoryRoot, 'client'),
    '--ignore-scripts',
    '--silent',
    '--pack-destination',
    folder,
  ])
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const target = join(folder, 'node_modules', 'task-market-client')
  mkdirSync(target, { recursive: true })
  await must('tar', ['-xzf', join(folder, tarball), '-C', target, '--strip-components=1'])
  for (const name of [
    '@modelcontextprotocol',
    '@x402',
    'commander',
    'openapi-fetch',
    'openapi-typescript-helpers',
    'viem',
    'zod',
    'ox',
    'abitype',
  ]) {
    symlinkSync(join(modules, name), join(folder, 'node_modules', name))
  }
  expect(readdirSync(dist)).toContain('index.js')
  return folder
}

async function must(command: string, args: string[], environment: Record<string, string> = {}): Promise<string> {
  const { exitCode, output } = await runCommand(command, args, { name: command, environment })
  expect(exitCode, output).toBe(0)
  return output
}

/** The Node of this run, and the one of the machine, which may be as old as the package allows. */
const nodes = [
  ...new Set([process.execPath, ...(process.env.CLIENT_NODE ?? '').split(':').filter((path) => path !== '')]),
]

test('given the tarball, then its examples publish, deliver and earn, and its tool answers', async () => {
  const { baseUrl, rpcUrl, deploymentFile } = inject('conformanceStack')
  const folder = await install()
  for (const example of ['worker', 'requester']) {
    const source = join(repositoryRoot, 'client', 'examples', `${example}.mjs`)
    await must('cp', [source, join(folder, `${example}.mjs`)])
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const [at, node] of nodes.entries()) {
    // Other tests leave open bounties of the usual tag: a worker takes the newest.
    const tag = `packed-${at}`
    const wallet = async (name: string) => {
      const { key, address } = anActor()
      await environment.chain.fund(address, startingBalance)
      return {
        TASK_MARKET_URL: baseUrl,
        TASK_MARKET_RPC_URL: rpcUrl,
        TASK_MARKET_DEPLOYMENT: deploymentFile,
        TASK_MARKET_HOME: join(folder, name),
        TASK_MARKET_PRIVATE_KEY: key,
      }
    }
    const [asRequester, asWorker] = [await wallet('requester'), await wallet('worker')]
    const [requested, worked] = await Promise.all([
      must(node, [join(folder, 'requester.mjs'), tag], asRequester),
      must(node, [join(folder, 'worker.mjs'), tag], asWorker),
    ])
    expect(requested).toContain('paid 0x')
    expect(worked).toContain('earned 1850000 base units')
    const tool = join(folder, 'node_modules', 'task-market-client', 'dist', 'cli', 'main.js')
    expect(JSON.parse(await must(node, [tool, 'wallet', 'balance'], asWorker))).toMatchObject({
      balanceBaseUnits: String(startingBalance + 1_850_000n),
    })
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: eras.modern } })
    await client.connect(new StdioClientTransport({ command: node, args: [tool, 'mcp'], env: asWorker }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('preview_write')
    await client.close()
  }
}, 180_000)
