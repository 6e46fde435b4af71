import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { findPython, PYTHON_PACKAGES } from '../../scripts/stack/find-python.ts'

const packageRoot = join(repositoryRoot, 'clients/python')
/** Python and its builds take a while on a busy machine. */
const TEST_MS = 120_000

/** Runs Python in a folder. @throws Error with what it said on its standard error */
function runPython(args: string[], cwd: string, path = cwd): string {
  const python = findPython() ?? expect.fail(`this test needs ${PYTHON_PACKAGES.join(', ')}`)
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: path }
  return execFileSync(python, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'task-market-python-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('the tests of the package pass', { timeout: TEST_MS }, () => {
  runPython(['-m', 'unittest', 'discover', '-s', 'tests'], packageRoot)
})

test('the package is built and installed without a network, and imports alone', { timeout: TEST_MS }, () => {
  const [folder, installed] = [aFolder(), aFolder()]
  const source = join(folder, 'source')
  // A build writes beside its sources.
  cpSync(packageRoot, source, { recursive: true, verbatimSymlinks: false, dereference: true })
  const offline = ['--no-index', '--no-deps', '--disable-pip-version-check', '--quiet']
  runPython(['-m', 'pip', 'wheel', '--no-build-isolation', ...offline, '--wheel-dir', folder, '.'], source)
  const [wheel = ''] = globSync('*.whl', { cwd: folder })
  expect(wheel).toBe('task_market-1.0.0-py3-none-any.whl')
  runPython(['-m', 'pip', 'install', '--target', installed, ...offline, join(folder, wheel)], folder)
  const program = 'import task_market, sys; print(task_market.__file__); task_market.Wallet.create()'
  expect(runPython(['-c', program], installed)).toContain(join(installed, 'task_market'))
  expect(globSync('{task_market/py.typed,*.dist-info/**/LICENSE}', { cwd: installed })).toHaveLength(2)
})

test('the sdist has its license, and the tests with their vectors', { timeout: TEST_MS }, () => {
  const folder = aFolder()
  const source = join(folder, 'source')
  cpSync(packageRoot, source, { recursive: true, dereference: true })
  const program = `import setuptools.build_meta as b; print(b.build_sdist(${JSON.stringify(folder)}))`
  const name = runPython(['-c', program], source).trim().split('\n').at(-1) ?? ''
  execFileSync('tar', ['xzf', join(folder, name), '-C', folder])
  const unpacked = join(folder, 'task-market-1.0.0')
  expect(globSync('LICENSE', { cwd: unpacked })).toHaveLength(1)
  runPython(['-m', 'unittest', 'tests/test_vectors.py'], unpacked, `${unpacked}:${join(unpacked, 'tests')}`)
})
