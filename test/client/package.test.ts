import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, inject, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { anActor } from '../support/actors.ts'
import { installPackage, must } from '../support/client/install-package.ts'
import { aWalletDirectory } from '../support/client/wallets.ts'
import { openEnvironment, startingBalance } from '../support/conformance.ts'
import { eras } from '../support/mcp-client.ts'

const environment = openEnvironment()
/** The oldest Node that the package allows, its major version. */
const LEAST_NODE = 20
/** The Node of this run, and that of the machine where it is another one that the package allows. */
const nodes = [...new Map([...listNodes(), [process.version, process.execPath]]).values()]

test('given the tarball, then its examples publish, deliver and earn, and its tool answers', async () => {
  const { baseUrl, rpcUrl, deploymentFile } = inject('conformanceStack')
  const folder = aWalletDirectory()
  const { tool } = await installPackage(folder)
  for (const example of ['worker', 'requester']) {
    const source = join(repositoryRoot, 'client', 'examples', `${example}.mjs`)
    copyFileSync(source, join(folder, `${example}.mjs`))
  }
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
    expect(JSON.parse(await must(node, [tool, 'wallet', 'balance'], asWorker))).toMatchObject({
      balanceBaseUnits: String(startingBalance + 1_850_000n),
    })
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: eras.modern } })
    await client.connect(new StdioClientTransport({ command: node, args: [tool, 'mcp'], env: asWorker }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('preview_write')
    await client.close()
  }
}, 180_000)

/** The versions and paths of every Node of the machine that the package allows. */
function listNodes(): [version: string, path: string][] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder): [string, string][] => {
    const path = join(folder, 'node')
    const { stdout, status } = spawnSync(path, ['--version'], { encoding: 'utf8' })
    if (status !== 0) return []
    return Number(/^v(\d+)\./.exec(stdout)?.[1]) >= LEAST_NODE ? [[stdout.trim(), path]] : []
  })
}
