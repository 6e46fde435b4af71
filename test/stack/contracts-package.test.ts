import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Child, startChild, waitUntilReady } from '../../ops/process/child.ts'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { findFoundryBinary } from '../../scripts/contracts/forge.ts'
import { runCommand } from '../../scripts/stack/run-command.ts'
import { startPackageSource } from '../support/packages/package-source.ts'
import { must, type ServedPackages, servePackages } from '../support/packages/serve-packages.ts'
import { compileContractsConsumer } from './compile-contracts-consumer.ts'

const folder = mkdtempSync(join(tmpdir(), 'task-market-contracts-'))
const project = join(folder, 'OnceHook')
/** Foundry as a user has it; the oldest compiler that the package takes, where forge would download one. */
const foundry = {
  PATH: [
    dirname(process.execPath),
    dirname(findFoundryBinary('forge')),
    dirname(findFoundryBinary('cast')),
    process.env.PATH,
  ].join(delimiter),
  FOUNDRY_SOLC: join(repositoryRoot, 'scripts', 'contracts', 'solc.mjs'),
  SOLC_PACKAGE: 'solc-oldest',
  FOUNDRY_OFFLINE: 'true',
}
let served: ServedPackages
let fork: Child | undefined

beforeAll(async () => {
  served = await servePackages(folder, ['contracts'])
  const create = ['-p', 'task-market-contracts', 'create-task-hook', 'OnceHook']
  await must('npx', ['--yes', ...create], served.environment, folder)
  await must('npm', ['install'], served.environment, project)
})
afterAll(async () => {
  await fork?.stop()
  served.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('A project of create-task-hook, from the tarball alone', () => {
  test('given another compiler of 0.8, then its tests pass against the market as it is deployed', async () => {
    const output = await must('npm', ['test'], foundry, project)
    expect(output).toContain('Solc 0.8.24')
    expect(output).toContain('2 tests passed, 0 failed')
  })

  test('given its hook, then errors.json has the errors of its ABI', async () => {
    const read = () => JSON.parse(readFileSync(join(project, 'errors.json'), 'utf8'))
    const present = read()
    expect(present).toMatchObject([{ name: 'NotTheMarket' }, { name: 'SubmittedBefore' }])
    await must('npm', ['run', 'errors'], foundry, project)
    expect(read()).toEqual(present)
  })

  test('given a local chain, then its tests pass there, its script attaches the hook, and fork and cast name its errors', async () => {
    const chain = await startFork()
    expect(await must('npm', ['test', '--', '--fork-url', chain.rpcUrl], foundry, project)).toContain('2 tests passed')
    const log = await must('npm', ['run', 'try', '--', chain.rpcUrl], { ...foundry, ...chain.environment }, project)
    const [, taskId = ''] = /TASK=(0x[0-9a-f]{64})/.exec(log) ?? []
    const call = ['submitWork(bytes32,bytes32)', taskId, `0x${'22'.repeat(32)}`]
    const { MARKET, WORKER_KEY } = chain.environment
    const where = ['--rpc-url', chain.rpcUrl, '--private-key', WORKER_KEY]

    await must('cast', ['send', MARKET, ...call, ...where, '--gas-limit', '3000000'], foundry)
    const error = `SubmittedBefore(${chain.worker})`
    await expect.poll(() => chain.log()).toContain(`in checkSubmit with ${error} (HookVetoed)`)

    const from = ['--from', chain.worker, '--rpc-url', chain.rpcUrl]
    const { output } = await runCommand('cast', ['call', MARKET, ...call, ...from], {
      name: 'cast',
      environment: foundry,
    })
    const data = /data: "(0x[0-9a-f]+)"/.exec(output)?.[1] ?? ''
    const reason = (await decode('HookVetoed(address,bytes4,bytes)', data)).at(-1) ?? ''
    expect(await decode('SubmittedBefore(address)', reason)).toEqual([chain.worker])
  })
})

describe('The constants of the package', () => {
  test('given viem, wagmi and Ponder, then events, functions and addresses have their types', async () => {
    expect(await compileContractsConsumer(folder, project)).toBe('')
    // Compilers that resolve as Node does, such as Hardhat's.
    const { resolve } = createRequire(join(project, 'package.json'))
    expect(resolve('task-market-contracts/hooks/BaseTaskHook.sol')).toContain('node_modules')
  })
})

describe('npm run release -- --dry-run', () => {
  const release = (environment: Record<string, string>) =>
    must(process.execPath, [join(repositoryRoot, 'scripts', 'release.ts'), '--dry-run', 'contracts'], {
      ...environment,
      GITHUB_ACTIONS: 'false',
    })

  test('given a registry that has the version, then nothing is published', async () => {
    expect(await release(served.environment)).toMatch(/^contracts@\S+: published before$/m)
  })

  test('given one that has not, then the tarball would be published and tagged', async () => {
    const registry = await startPackageSource([])
    const said = await release({ ...served.environment, npm_config_registry: registry.url })
    registry.stop()
    expect(said).toContain('the workflow needs "repository": {"type": "git", "url": "git+https://HOST/OWNER/NAME.git"')
    expect(said).toMatch(/^contracts@\S+: publish \(would run: npm publish \S+\.tgz --access public\)$/m)
  })
})

/** `npm run fork` with the errors of the hook, and the accounts that it prints. */
async function startFork() {
  const child = await startChild({
    name: 'fork',
    command: process.execPath,
    args: [join(repositoryRoot, 'scripts', 'fork.ts'), '--abi', join(project, 'errors.json')],
    cwd: repositoryRoot,
    logFile: join(folder, 'fork.log'),
    stopSignal: 'SIGTERM',
  })
  fork = child
  const log = child.readLog
  const find = (pattern: RegExp) => pattern.exec(log())?.[1] ?? ''
  await waitUntilReady(child, async () => (log().includes('Ctrl-C') ? true : null), { timeoutMilliseconds: 60_000 })
  const rpcUrl = find(/RPC_URL=(\S+)/)
  const environment = {
    MARKET: find(/"market": "(0x\w+)"/),
    REQUESTER_KEY: find(/^requester +0x\w+ (0x\w+)/m),
    WORKER_KEY: find(/^alice +0x\w+ (0x\w+)/m),
  }
  const worker = find(/^alice +(0x\w+)/m)
  return { rpcUrl, environment, worker, log }
}

/** The arguments of an error, as cast decodes them. */
async function decode(signature: string, data: string): Promise<string[]> {
  return (await must('cast', ['decode-error', '--sig', signature, data], foundry)).trim().split('\n')
}
