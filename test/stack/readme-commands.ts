import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import type { StackDescription } from '../../scripts/stack/stack-file.ts'
import { deepTest } from '../support/deep-test.ts'

const readText = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
const byHand = sectionOf(readText('README.md'), '## A bounty, by hand')
const walk = blockOf(byHand, 'sh')

let directory: string
let described: StackDescription

/**
 * The commands of README.md and docs/security.md, run unchanged on a stack of `npm start`.
 * @param read the running stack: its requester, alice and carol are used
 */
export function testReadmeCommands(read: () => StackDescription): void {
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'task-market-readme-'))
    described = read()
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  describe('A bounty, by hand', () => {
    test('given the commands of the walkthrough, when run, then the work is delivered, paid and rated', async () => {
      const task = await walkWith(walk)
      const [{ fileUrl }] = await getJson(`/tasks/${task.id}/submissions`)
      expect(await (await fetch(fileUrl)).text()).toBe('Agora\n')
      expect(task).toMatchObject({
        status: 'completed',
        tags: ['naming'],
        primaryAward: { workerAddress: accountOf('alice').address, rating: 95 },
      })
    })

    deepTest(
      'given a file of one megabyte of arbitrary bytes, when submitted the same way, then it is delivered',
      async () => {
        const anyBytes = 'head -c 1000000 /dev/urandom > name.txt'
        const task = await walkWith(replaceLine(walk, /^echo Agora > name\.txt$/m, anyBytes))
        const [{ artifacts }] = await getJson(`/tasks/${task.id}/submissions`)
        expect(artifacts).toMatchObject([{ sizeBytes: 1_000_000 }])
        expect(task.status).toBe('completed')
      },
    )

    test('given the code for the stock x402 client, when run as a module, then they create a task', async () => {
      const { devDependencies, dependencies } = JSON.parse(readText('package.json'))
      const installed: Record<string, string> = { ...dependencies, ...devDependencies }
      const named = [...byHand.matchAll(/(@x402\/\w+|viem)@([\d.]+)/g)].map(([, name = '', version]) => [name, version])
      expect(named).toEqual(['@x402/fetch', '@x402/evm', 'viem'].map((name) => [name, installed[name]]))

      const folder = aFolder('module')
      symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'))
      // README.md pays on Base.
      const network = `eip155:${described.chainId}`
      writeFileSync(join(folder, 'pay.mjs'), blockOf(byHand, 'js').replace('eip155:8453', network))
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
    test('given the commands of form (a), when run after those of the README, then consent is enabled', async () => {
      const lines = blockOf(sectionOf(readText('docs/security.md'), '### Naming the request'), 'sh', 'pay_bound')
      const [definitions = ''] = walk.split(/^pay \/tasks /m)
      const carol = accountOf('carol')
      const call = `pay_bound /tasks '{"description":"Name this project","reward":"2000000","duration":24,"tags":[]}'`
      const shell = openShell('bound', fill(definitions, carol.privateKey))
      shell.type(`${lines}\n${call}\n`)
      const taskId = await shell.untilTaskId()
      expect(await getJson(`/tasks/${taskId}`)).toMatchObject({ requester: carol.address, status: 'open' })
      const consentOf = () => getJson(`/wallet/consent?address=${carol.address}`)
      expect(await consentOf()).toEqual({ required: true })
      // The switch of the README ends it, for a stock client of the same wallet.
      shell.type(blockOf(byHand, 'sh', 'consent()'))
      const { errors } = await shell.end()
      expect(errors).toBe('')
      expect(await consentOf()).toEqual({ required: false })
    })
  })
}

/** Runs the walkthrough in a shell: reads the task's id from the first answer and uses it in the remaining commands. */
async function walkWith(lines: string) {
  const [before = '', after = ''] = lines.split(/^TASK=0x\.\.\..*$/m)
  expect(after).not.toBe('')
  const shell = openShell('walk', fill(before, accountOf('requester').privateKey))
  const taskId = await shell.untilTaskId()
  shell.type(`TASK=${taskId}\n${after}`)
  const { output, errors } = await shell.end()
  expect(errors, output).toBe('')
  return await getJson(`/tasks/${taskId}`)
}

/** A shell in a folder with the scripts of a clone. */
function openShell(name: string, lines: string) {
  const cwd = aFolder(name)
  symlinkSync(join(repositoryRoot, 'scripts'), join(cwd, 'scripts'))
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

/** The walkthrough's placeholders, with the values that `npm start` printed. */
function fill(lines: string, requesterKey: string): string {
  const values = { API: apiUrl(), REQUESTER: requesterKey, WORKER: accountOf('alice').privateKey }
  const all = { ...values, ALICE: accountOf('alice').address }
  return Object.entries(all).reduce(
    (text, [name, value]) => replaceLine(text, new RegExp(`^${name}=\\S+`, 'm'), `${name}=${value}`),
    lines,
  )
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

/** The text from a heading to the next of its level or above; a single `#` begins a shell comment. */
function sectionOf(text: string, heading: string): string {
  const [, after = ''] = text.split(`\n${heading}\n`)
  const level = heading.indexOf(' ')
  return after.split(new RegExp(`^#{2,${level}} `, 'm'))[0] ?? ''
}

/** The first block of a language that contains a word. */
function blockOf(section: string, language: string, word = ''): string {
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  const found = blocks.find(([, tag, content]) => tag === language && content?.includes(word))?.[2]
  return found ?? expect.fail(`no block of ${language}`)
}
