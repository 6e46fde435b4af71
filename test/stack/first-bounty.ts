import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import type { StackDescription } from '../../scripts/stack/stack-file.ts'
import { fencedBlocks } from '../support/docs/fenced-blocks.ts'

const readText = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
const page = readText('docs/learn/first-bounty.md')
/** From the heading on that names the wallets to the rating: all blocks, as one script. */
const steps = ['Name the wallets', 'Pay for a write', 'Post the bounty', 'Deliver', 'Accept and rate']
const walk = steps.map((heading) => blockOf(page, 'sh', heading)).join('\n')

let directory: string
let described: StackDescription

/**
 * The commands of docs/learn/first-bounty.md and docs/internals/security.md, run unchanged on a stack of `npm start`.
 * @param read the running stack: its requester, alice and carol are used
 */
export function testFirstBounty(read: () => StackDescription): void {
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'task-market-first-bounty-'))
    described = read()
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  describe('A bounty in five minutes', () => {
    test('given the commands of the page, when run, then the work is delivered, paid and rated', async () => {
      const shell = openShell('walk', walk)
      const taskId = await shell.untilTaskId()
      const { output, errors } = await shell.end()
      expect(errors, output).toBe('')
      const task = await getJson(`/tasks/${taskId}`)
      const [{ fileUrl }] = await getJson(`/tasks/${task.id}/submissions`)
      expect(await (await fetch(fileUrl)).text()).toBe('Agora\n')
      expect(task).toMatchObject({
        status: 'completed',
        tags: ['naming'],
        primaryAward: { workerAddress: accountOf('alice').address, rating: 95 },
      })
    })

    test('given the code for the stock x402 client, when run as a module, then they create a task', async () => {
      const { devDependencies, dependencies } = JSON.parse(readText('package.json'))
      const installed: Record<string, string> = { ...dependencies, ...devDependencies }
      const named = [...page.matchAll(/(@x402\/\w+|viem)@([\d.]+)/g)].map(([, name = '', version]) => [name, version])
      expect(named).toEqual(['@x402/fetch', '@x402/evm', 'viem'].map((name) => [name, installed[name]]))

      const folder = aFolder('module')
      symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'))
      // The page pays on Base.
      const network = `eip155:${described.chainId}`
      const script = blockOf(page, 'js', 'With a stock x402 client').replace('eip155:8453', network)
      writeFileSync(join(folder, 'pay.mjs'), script)
      const { stdout, stderr } = await promisify(execFile)(process.execPath, ['pay.mjs'], {
        cwd: folder,
        env: { ...process.env, API: apiUrl(), REQUESTER: accountOf('requester').privateKey },
      })
      expect(stderr).toBe('')
      const taskId = /taskId: '(0x[0-9a-f]{64})'/.exec(stdout)?.[1]
      expect(await getJson(`/tasks/${taskId}`)).toMatchObject({ status: 'open', tags: ['naming'], reward: '2000000' })
    })
  })

  describe('Naming the request', () => {
    test('given the commands of form (a), when run after those of the page, then consent is enabled', async () => {
      const lines = blockOf(readText('docs/internals/security.md'), 'sh', 'Naming the request')
      const definitions = ['Name the wallets', 'Pay for a write']
        .map((heading) => blockOf(page, 'sh', heading))
        .join('\n')
      const call = `pay_bound /tasks '{"description":"Name this project","reward":"2000000","duration":24,"tags":[]}'`
      const carol = accountOf('carol')
      const shell = openShell('bound', replaceLine(definitions, /^REQUESTER=.*$/m, `REQUESTER=${carol.privateKey}`))
      shell.type(`${lines}\n${call}\n`)
      const taskId = await shell.untilTaskId()
      expect(await getJson(`/tasks/${taskId}`)).toMatchObject({ requester: carol.address, status: 'open' })
      const consentOf = () => getJson(`/wallet/consent?address=${carol.address}`)
      expect(await consentOf()).toEqual({ required: true })
      // The switch of the page ends it, for a stock client of the same wallet.
      shell.type(blockOf(page, 'sh', 'With the client package'))
      const { errors } = await shell.end()
      expect(errors).toBe('')
      expect(await consentOf()).toEqual({ required: false })
    })
  })
}

/** A shell in a folder with the scripts of a clone and the file of the running stack. */
function openShell(name: string, lines: string) {
  const cwd = aFolder(name)
  symlinkSync(join(repositoryRoot, 'scripts'), join(cwd, 'scripts'))
  mkdirSync(join(cwd, '.local'))
  writeFileSync(join(cwd, '.local', 'stack.json'), JSON.stringify(described))
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const shell = spawn('bash', ['--norc'], { cwd, env: { ...process.env, PATH: path } })
  let [output, errors] = ['', '']
  shell.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const answered = new Promise<string>((resolve, reject) => {
    shell.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /"taskId":"(0x[0-9a-f]{64})"/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    shell.once('close', () => reject(new Error(`no task was created:\n${output}\n${errors}`)))
  })
  const closed = new Promise<void>((resolve) => shell.once('close', () => resolve()))
  shell.stdin.write(`${lines}\n`)
  return {
    type: (more: string) => shell.stdin.write(more),
    untilTaskId: () => answered,
    end: async () => {
      shell.stdin.end()
      await closed
      return { output, errors }
    },
  }
}

function replaceLine(text: string, line: RegExp, replacement: string): string {
  expect(text).toMatch(line)
  return text.replace(line, () => replacement)
}

function aFolder(name: string): string {
  return mkdtempSync(join(directory, `${name}-`))
}

const apiUrl = () => `${described.urls.api}/api`

function accountOf(role: string) {
  return described.accounts.find((account) => account.role === role) ?? expect.fail(`no account ${role}`)
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes.
async function getJson(path: string): Promise<any> {
  const response = await fetch(`${apiUrl()}${path}`)
  expect(response.status).toBe(200)
  return await response.json()
}

/** The first block of a language below a heading of a page. */
function blockOf(text: string, language: string, heading: string): string {
  const block = fencedBlocks(text).find((candidate) => candidate.heading === heading && candidate.language === language)
  return block?.text ?? expect.fail(`no block of ${language} below "${heading}"`)
}
