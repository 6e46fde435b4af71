import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { compileCache, environmentOf } from '../support/client/mcp-host.ts'
import { aWalletDirectory } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()
const run = promisify(execFile)
const inspector = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli/build/index.js')

/** One call of the command line of the protocol's own inspector, which is a client of version 1 of its SDK. */
async function inspect(target: string[], options: string[], environment: Record<string, string> = {}) {
  const { stdout } = await run(process.execPath, [inspector, ...target, ...options], {
    // It finds its own version from the folder that it is in.
    cwd: dirname(inspector),
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...environment },
  })
  return JSON.parse(stdout)
}

describe("The inspector's command line", () => {
  test('given POST /mcp of the service, then it lists the tools, and a call answers what REST answers', async () => {
    const mcp = [`${inject('conformanceStack').baseUrl}/mcp?structured=1`]
    const taskId = await environment.createTask(await environment.aWallet())
    const { tools } = await inspect(mcp, ['--method', 'tools/list'])
    for (const { annotations, outputSchema } of tools) {
      expect({ annotations, outputSchema }).toMatchObject({
        annotations: { readOnlyHint: true },
        outputSchema: { type: 'object' },
      })
    }
    expect(tools.map(({ name }: { name: string }) => name)).toContain('getTask')
    const call = ['--method', 'tools/call', '--tool-name', 'getTask', '--tool-arg', `taskId=${taskId}`]
    const { structuredContent } = await inspect(mcp, call)
    expect(structuredContent.data).toMatchObject({ id: taskId, status: 'open' })
  })

  test('given `task-market mcp` on its standard streams, then it lists the tools, and previews a write', async () => {
    const wallet = await environment.aWallet()
    const server = [process.execPath, join(repositoryRoot, 'client', 'src', 'cli', 'main.ts'), 'mcp', '--structured']
    const env = environmentOf(wallet, aWalletDirectory())
    const { tools } = await inspect(server, ['--method', 'tools/list'], env)
    expect(tools.map(({ name }: { name: string }) => name)).toContain('confirm_write')
    const input = { description: 'Haiku', reward: '500000', duration: 24, tags: [] }
    const given = ['write=createTask', `input=${JSON.stringify(input)}`].flatMap((pair) => ['--tool-arg', pair])
    const preview = await inspect(server, ['--method', 'tools/call', '--tool-name', 'preview_write', ...given], env)
    expect(preview.structuredContent.data).toMatchObject({ decides: '500000', isActSimulated: true })
  })
})
