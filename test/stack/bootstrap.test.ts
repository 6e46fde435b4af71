import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'task-market-bootstrap-'))
  mkdirSync(join(root, 'scripts'))
  mkdirSync(join(root, 'scripts', 'stack'))
  for (const file of ['bootstrap.mjs', 'stack/node-options.mjs']) {
    copyFileSync(join(repositoryRoot, 'scripts', file), join(root, 'scripts', file))
  }
  writeFileSync(join(root, 'scripts', 'hello.ts'), "console.log('hello', ...process.argv.slice(2)); process.exit(5)")
  writeLock('package-lock.json', '1.0.0')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function writeLock(path: string, version: string, development: object = {}): void {
  const packages = {
    '': {},
    'node_modules/a': { version },
    'node_modules/a-for-another-platform': { version, optional: true },
    ...development,
  }
  writeFileSync(join(root, path), JSON.stringify({ packages }))
}

/** The lock file that npm writes into node_modules: without the packages of other platforms. */
function writeInstalled(version: string): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  const packages = { 'node_modules/a': { version } }
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }))
}

/** Runs the bootstrap with a test npm, which records its arguments and runs `script`. */
function run(
  args: string[],
  script = 'exit 0',
  variables: Record<string, string> = {},
  input = '',
): { status: number | null; stdout: string; stderr: string } {
  const bin = join(root, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho "$@" > ${join(root, 'npm-was-called')}\n${script}\n`)
  chmodSync(join(bin, 'npm'), 0o755)
  const { npm_execpath: _cli, npm_lifecycle_event: _event, ...environment } = process.env
  return spawnSync(process.execPath, [join(root, 'scripts', 'bootstrap.mjs'), ...args], {
    encoding: 'utf8',
    input,
    env: { ...environment, ...variables, PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter) },
  })
}

const wasInstalled = () => existsSync(join(root, 'npm-was-called'))

test('given installed dependencies, when a command is run, then nothing is installed and its exit code is passed on', () => {
  writeInstalled('1.0.0')
  const { status, stdout } = run(['hello', '--loud'])
  expect(stdout).toBe('hello --loud\n')
  expect(status).toBe(5)
  expect(wasInstalled()).toBe(false)
})

test('given no node_modules, when a command is run, then npm ci runs first', () => {
  const { status, stdout } = run(['hello'])
  expect(stdout).toMatch(/installing dependencies[\s\S]*\d+\.\ds {2}dependencies installed\nhello\n/)
  expect(status).toBe(5)
})

test('given another version installed than locked, when a command is run, then npm ci runs first', () => {
  writeInstalled('0.9.0')
  run(['hello'])
  expect(wasInstalled()).toBe(true)
})

test.each([
  ['doctor', false],
  ['hello', true],
])(
  'given an install without what development needs, when %s is run, then the rest is installed: %s',
  (command, isNeeded) => {
    writeLock('package-lock.json', '1.0.0', { 'node_modules/a-compiler': { version: '1.0.0', dev: true } })
    writeInstalled('1.0.0')
    writeFileSync(join(root, 'scripts', 'doctor.ts'), '')
    run([command])
    expect(wasInstalled()).toBe(isNeeded)
  },
)

test('given an npm that fails, when a command is run, then its error is printed and the command does not run', () => {
  const { status, stdout, stderr } = run(['hello'], 'echo no network >&2; exit 1')
  expect(stderr).toMatch(/no network\nnpm ci failed/)
  expect(stdout).not.toContain('hello')
  expect(status).toBe(1)
})

test('given an unknown command, when it is run, then the known commands are listed', () => {
  const { status, stderr } = run(['nonsense'])
  expect(stderr).toContain('<hello>')
  expect(status).toBe(1)
})

test('given `npm run hello --dry-run`, whose option npm keeps, then the command does not run', () => {
  writeInstalled('1.0.0')
  const { status, stdout, stderr } = run(['hello'], 'exit 0', { npm_config_dry_run: 'true' })
  expect(stderr).toContain('npm run hello -- --dry-run')
  expect([status, stdout]).toEqual([1, ''])
})

test.each(['deploy', 'relayer'])('given words on standard input, such as a password, then %s reads them', (command) => {
  writeInstalled('1.0.0')
  writeFileSync(join(root, 'scripts', `${command}.ts`), 'process.stdin.pipe(process.stdout)')
  expect(run([command], 'exit 0', {}, 'a password').stdout).toBe('a password')
})

const commands = Object.entries(
  (JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
    .scripts,
)

test('given `npm run test:deep -- --help`, then the comment of its script is printed, and nothing is started', () => {
  const words = ['scripts/bootstrap.mjs', 'test', '--deep', '--help']
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: repositoryRoot, encoding: 'utf8' })
  expect(status).toBe(0)
  expect(stdout).toContain('npm test')
  expect(stdout).not.toMatch(/^ ?\*/m)
})

test.each(commands)('given the script of `npm run %s`, then its comment says how it is used', (name, line) => {
  const script = readFileSync(join(repositoryRoot, 'scripts', `${line.split(' ')[3]}.ts`), 'utf8')
  expect(/^\/\*\*[\s\S]*?\*\//.exec(script)?.[0]).toMatch(new RegExp(`npm (run )?${name.split(':')[0]}`))
})

test.each([
  [['scripts/standby-keeper.ts', '--port'], "Unknown option '--port'; --help says which options there are.\n"],
  [['scripts/fork.ts', '--abi', 'package.json'], /^--abi .*package\.json: it is no ABI with errors\n$/],
])('given an option or a file that a command does not take, %j, then it ends with a sentence', (words, sentence) => {
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: repositoryRoot, encoding: 'utf8' })
  expect(stderr).toMatch(sentence)
  expect(status).toBe(2)
})
