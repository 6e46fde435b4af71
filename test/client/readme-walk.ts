import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, isAddress } from 'viem'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { decryptKey, encryptKey } from '../../client/src/keystore/keystore.ts'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { signalProcess } from '../../ops/process/process-registry.ts'
import { fencedBlocks } from '../support/docs/fenced-blocks.ts'
import type { ServedPackages } from '../support/packages/serve-packages.ts'

const blocks = fencedBlocks(readFileSync(join(repositoryRoot, 'client', 'README.md'), 'utf8'))

/** What the programs of the page take as given. */
const given = `
import type { Account, Client, toArtifact as asArtifact } from 'task-market-client'
import type { PaymentClient } from 'task-market-client/fetch'
import type { fileStore as openStore } from 'task-market-client/store'
declare global {
  const password: string, url: string, rpcUrl: string, description: string, secret: string, taskId: string, worker: string
  const process: { env: { TASK_MARKET_KEYSTORE: string } }
  const request: Request
  const account: Account
  const market: Client
  const fileStore: typeof openStore
  const x402Client: PaymentClient
  const toArtifact: typeof asArtifact
  const write: (task: unknown) => Promise<Uint8Array>
  const ask: (call: unknown) => Promise<boolean>
  // A client of another package.
  const client: {
    setNotificationHandler: (method: string, handler: (message: { params: { uri: string } }) => void) => void
    listen: (filter: { resourceSubscriptions: string[] }) => Promise<{ honoredFilter: unknown }>
  }
}
`

/** A module that does in a function what the page has below its imports: a handler may return. */
function toModule(block: string): string {
  const lines = block.split('\n')
  const imports = lines.filter((line) => line.startsWith('import '))
  const body = lines.filter((line) => !line.startsWith('import '))
  return [...imports, 'export async function program() {', ...body, '}'].join('\n')
}

/** The programs of client/README.md, as modules, and what they take as given. */
export const readmePrograms = {
  given,
  programs: blocks.filter(({ language }) => /^[jt]s$/.test(language)).map(({ text }) => toModule(text)),
}

interface Walk {
  folder: string
  packages: () => ServedPackages
  fund: (address: Address) => Promise<void>
}

/**
 * The commands of client/README.md, as they stand, in an empty folder: npm finds the tarball where a reader's finds the published
 * package. Replaced are the address of the service, the name of the keystore by the one that was printed, and npx once it has found the tool.
 */
export function testReadme({ folder, packages, fund }: Walk): void {
  describe('client/README.md', () => {
    test('given its five minutes, when run, then a wallet is made, funded and heard, and has a task', async () => {
      const five = blocks.find(({ heading }) => heading === 'Five minutes')?.text ?? ''
      const [before = '', after = ''] = five.split(/^(?=export TASK_MARKET_KEYSTORE=)/m)
      const home = mkdtempSync(join(folder, 'five-'))
      const shell = openShell(home, packages().environment)
      const { baseUrl, rpcUrl, deploymentFile } = inject('conformanceStack')
      shell.type(`export TASK_MARKET_DEPLOYMENT=${deploymentFile} TASK_MARKET_RPC_URL=${rpcUrl}`)
      shell.type(replaced(before, 'https://market.example', baseUrl))
      const { address, keystore } = JSON.parse(await shell.line((line) => line.includes('"keystore"')))
      expect(isAddress(address)).toBe(true)
      await fund(address)
      await makeCheap(keystore, readFileSync(join(home, '.task-market-password'), 'utf8').trim())
      // `wallet new` was found by npx, which takes a second to find it again for each of the other commands.
      shell.type(`npx() { '${folder}'/node_modules/.bin/"$1" "\${@:2}"; }`)
      // `watch` prints what comes next until it is ended, so a reader has it in a second terminal.
      const lines = after.split('\n')
      const watch = lines.find((line) => line.startsWith('npx task-market watch ')) ?? expect.fail('nothing is watched')
      const verify =
        lines.find((line) => line.startsWith('npx task-market verify ')) ?? expect.fail('nothing is verified')
      const [keystoreLine = '', ...commands] = lines.filter((line) => line !== watch && line !== verify)
      shell.type(replaced(keystoreLine, '~/.task-market/keystores/0x....json', keystore))
      shell.type(`{ ${watch}\n} &`)
      shell.type(commands.join('\n'))
      const created = JSON.parse(await shell.line((line) => line.includes('"kind":"completed"')))
      expect(created).toMatchObject({ taskId: expect.stringMatching(/^0x/), paid: '2000000' })
      const entry = JSON.parse(
        await shell.line((line) => line.includes('"task.created"') && line.includes(created.taskId)),
      )
      expect(entry).toMatchObject({ kind: 'task.created', data: { requester: address } })
      // With a task and a node of the reader's.
      shell.type(replaced(replaced(verify, '0x...', created.taskId), 'https://node.example', rpcUrl))
      expect(await shell.end()).not.toMatch(/"ok":false/)
    })
  })
}

/** Makes a keystore that opens at once instead of in a second, which each command of the tool takes otherwise. */
async function makeCheap(path: string, password: string): Promise<void> {
  const text = readFileSync(path, 'utf8')
  const options = { terms: { n: 2 }, madeFor: JSON.parse(text).deployment }
  writeFileSync(path, await encryptKey(await decryptKey(text, password), password, options))
}

function replaced(text: string, placeholder: string, value: string): string {
  expect(text).toContain(placeholder)
  return text.replaceAll(placeholder, () => value)
}

/** A shell in an empty folder, which is also the reader's home. It ends at the first command that fails. */
function openShell(folder: string, environment: Record<string, string>) {
  const env = { PATH: environment.PATH, HOME: folder, ...environment }
  const shell = spawn('bash', ['-e'], { cwd: folder, env, detached: true })
  let [output, errors, isOver] = ['', '', false]
  let onChange = () => {}
  shell.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    onChange()
  })
  shell.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  /** Ends it, with what it has started in the background. */
  const endAll = () => {
    if (shell.pid !== undefined) signalProcess(-shell.pid, 'SIGKILL')
  }
  onTestFinished(() => {
    if (!isOver) endAll()
  })
  const exited = new Promise<number | null>((resolve) => {
    shell.once('exit', (code) => {
      isOver = true
      endAll()
      onChange()
      resolve(code)
    })
  })
  return {
    type: (lines: string) => shell.stdin.write(`${lines}\n`),
    /** The first line that it has printed, or prints, of which this is true. */
    line: async (isMeant: (line: string) => boolean): Promise<string> => {
      for (;;) {
        const line = output.split('\n').slice(0, -1).find(isMeant)
        if (line !== undefined) return line
        if (isOver) expect.fail(`The shell ended:\n${output}\n${errors}`)
        await new Promise<void>((resolve) => {
          onChange = resolve
        })
      }
    },
    /** Waits for its end; what it has printed. */
    end: async (): Promise<string> => {
      shell.stdin.end()
      expect(await exited, errors).toBe(0)
      return output
    },
  }
}
