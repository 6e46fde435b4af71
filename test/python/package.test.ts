import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, inject, type TestContext, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { findPython, PYTHON_PACKAGES } from '../../scripts/stack/find-python.ts'
import { openEnvironment, startingBalance } from '../support/conformance.ts'
import { fencedBlocks } from '../support/docs/fenced-blocks.ts'

const environment = openEnvironment()
const packageRoot = join(repositoryRoot, 'clients/python')
/** Python and its builds take a while on a busy machine. */
const TEST_MS = 120_000

/** Runs Python in a folder. @throws Error with what it said on its standard error */
function runPython(args: string[], cwd: string): string {
  const python = findPython() ?? expect.fail(`this test needs ${PYTHON_PACKAGES.join(', ')}`)
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
  return execFileSync(python, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The fenced blocks of the page below a heading. */
function blocksOf(title: string): string[] {
  const page = readFileSync(join(packageRoot, 'README.md'), 'utf8')
  return fencedBlocks(page).flatMap(({ heading, text }) => (heading === title ? [text] : []))
}

function blockOf(title: string): string {
  return blocksOf(title)[0] ?? expect.fail(`the page has no block below ${title}`)
}

/** Runs commands in a folder, each as it is typed, with the system's Python; ends at the first that fails. @returns what they print */
async function runShell(commands: string, cwd: string, variables: Record<string, string>): Promise<string> {
  const path = `${dirname(findPython() ?? expect.fail(`this test needs ${PYTHON_PACKAGES.join(', ')}`))}:/usr/bin:/bin`
  const env = { HOME: process.env.HOME, PYTHONDONTWRITEBYTECODE: '1', ...variables, PATH: path }
  // With a socket as its input bash would read the settings of a person.
  return (await promisify(execFile)('bash', ['--norc', '-ec', commands], { cwd, env })).stdout
}

function aFolder(onTestFinished: TestContext['onTestFinished']): string {
  const folder = mkdtempSync(join(tmpdir(), 'task-market-python-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test.concurrent('the tests of the package pass, as its page runs them', { timeout: TEST_MS }, async () => {
  await runShell(blockOf('Tests'), packageRoot, {})
})

/**
 * The five minutes of the page as they stand, in a home with a clone of what they name. Replaced is the address of the service; the
 * worker, which a reader has in a second terminal, runs in the background.
 */
test.concurrent('the page is walked, from the installation to a paid task', { timeout: TEST_MS }, async (context) => {
  const home = aFolder(context.onTestFinished)
  const clone = join(home, 'task-market')
  // A build writes beside its sources.
  cpSync(packageRoot, join(clone, 'clients/python'), { recursive: true, dereference: true })
  mkdirSync(join(clone, '.local'))
  copyFileSync(inject('conformanceStack').deploymentFile, join(clone, '.local/deployment.json'))
  const [install = '', settings = '', first = '', start = '', both = ''] = blocksOf('Five minutes')
  writeFileSync(join(home, 'first.py'), first)
  for (const key of `${settings}${both}`.match(/0x[0-9a-f]{64}/g) ?? []) {
    await environment.chain.fund(privateKeyToAccount(key as Hex).address, startingBalance)
  }
  const url = 'http://127.0.0.1:3000'
  expect(settings).toContain(url)
  const worker = /^python3 .*worker\.py.*$/m
  expect(both).toMatch(worker)
  const lines = [
    install,
    settings.replace(url, environment.baseUrl),
    start,
    both.replace(worker, (line) => `${line} &`),
    'wait $!',
  ]
  const said = await runShell(lines.join('\n'), home, { HOME: home, PIP_NO_INDEX: '1', PYTHONWARNINGS: 'ignore' })
  const events = ['balance', 'created 0x', 'cancelled 0x', '"delivered"', 'accepted 0x', 'rated', '"done"']
  expect(events.filter((event) => !said.includes(event))).toEqual([])
  expect(globSync('venv/lib/python3*/site-packages/task_market/py.typed', { cwd: home })).toHaveLength(1)
})

test('the sdist has its license, and the tests with their vectors', { timeout: TEST_MS }, ({ onTestFinished }) => {
  const folder = aFolder(onTestFinished)
  const source = join(folder, 'source')
  cpSync(packageRoot, source, { recursive: true, dereference: true })
  const program = `import setuptools.build_meta as b; print(b.build_sdist(${JSON.stringify(folder)}))`
  const name = runPython(['-c', program], source).trim().split('\n').at(-1) ?? ''
  execFileSync('tar', ['xzf', join(folder, name), '-C', folder])
  const files = globSync(['LICENSE', 'tests/*'], { cwd: join(folder, 'task-market-1.0.0') })
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'tests/test_vectors.py', 'tests/vectors.json']))
})

test('the vectors are those that their rules give', () => {
  runPython([join(repositoryRoot, 'protocol/vectors/compute.py'), '--check'], repositoryRoot)
})
