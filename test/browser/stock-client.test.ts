import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { localNetwork } from '../../scripts/contracts/network.ts'
import { openEnvironment } from '../support/conformance.ts'
import { openPage } from './open-page.ts'

const environment = openEnvironment()

/** The ten lines of "A bounty in five minutes" for a stock x402 client. */
function pageScript(): string {
  const text = readFileSync(join(repositoryRoot, 'docs/learn/first-bounty.md'), 'utf8')
  const [, script] = /```js\n(import \{ ExactEvmScheme \}[\s\S]*?)```/.exec(text) ?? []
  if (script === undefined) throw new Error('the page has no script of a stock x402 client')
  return script.replace('eip155:8453', `eip155:${localNetwork.chainId}`)
}

/** Bundles a script for a browser, with the variables that Node would take from its environment. */
async function bundle(script: string, variables: Record<string, string>): Promise<string> {
  const entry = join(repositoryRoot, 'pay.js')
  const define = Object.entries(variables).map(([name, value]) => [`process.env.${name}`, JSON.stringify(value)])
  const build = await rolldown({
    input: entry,
    cwd: repositoryRoot,
    platform: 'browser',
    transform: { define: Object.fromEntries(define) },
    plugins: [
      {
        name: 'script',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? script : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'es', codeSplitting: false })
  return output[0].code
}

test('given the documented script in a page of another origin, then the browser pays and gets the task', async () => {
  const requester = await environment.aWallet()
  const clockAheadMs = Number(await environment.chain.headTime()) * 1000 - Date.now()
  const money = await environment.chain.watch({ requester: requester.address })
  const page = await bundle(pageScript(), { REQUESTER: requester.key, API: `${environment.baseUrl}/api` })
  const report = await openPage(page, { clockAheadMs })
  expect(report).toMatchObject({ logged: { success: true, taskId: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
  expect(await money.changes()).toEqual({ requester: -2_000_000n })
})
