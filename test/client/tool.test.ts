import { createHash, randomBytes } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseAbi } from 'viem'
import { describe, expect, inject, test } from 'vitest'
import { findFoundryBinary } from '../../scripts/contracts/forge.ts'
import { anActor } from '../support/actors.ts'
import { runTool, wordsOf } from '../support/client/silent-io.ts'
import { aWalletDirectory } from '../support/client/wallets.ts'
import { openEnvironment, startingBalance } from '../support/conformance.ts'
import { deployExampleHook } from '../support/example-hooks.ts'
import { must } from '../support/packages/serve-packages.ts'

const environment = openEnvironment()

/** The tool with a wallet of its own, and that wallet. */
async function aTool() {
  const { address, key } = anActor()
  await environment.chain.fund(address, startingBalance)
  const { baseUrl, rpcUrl, deploymentFile } = inject('conformanceStack')
  const directory = aWalletDirectory()
  const env = {
    TASK_MARKET_URL: baseUrl,
    TASK_MARKET_RPC_URL: rpcUrl,
    TASK_MARKET_DEPLOYMENT: deploymentFile,
    TASK_MARKET_HOME: directory,
    TASK_MARKET_PRIVATE_KEY: key,
  }
  const run = (line: string, more: Partial<Parameters<typeof runTool>[1]> = {}) =>
    runTool(wordsOf(line), { ...more, env: { ...env, ...more.env } })
  return { address, directory, run, json: async (line: string) => JSON.parse((await run(line)).out) }
}

describe('The command line tool', () => {
  test('given a bounty, then each party does its part by the commands that the service prints', async () => {
    const [asRequester, asWorker] = [await aTool(), await aTool()]
    const money = await environment.chain.watch({ requester: asRequester.address, worker: asWorker.address })

    const { taskId } = await asRequester.json('task create --description Haiku --reward 2 --hours 24 --tag haiku')
    const file = join(asWorker.directory, 'haiku.txt')
    writeFileSync(file, 'Money waits in trust')
    const offers: { command: string; action: string }[] = (await asWorker.json(`task get ${taskId}`)).pendingActions
    const submit = offers.find(({ action }) => action === 'submit')?.command ?? ''
    expect(await asWorker.json(submit.replace('<path>', file))).toMatchObject({ kind: 'completed' })
    const accept = (await asRequester.json('actions')).actions.find(
      ({ action }: { action: string }) => action === 'accept',
    )
    expect(await asRequester.json(accept.command)).toMatchObject({ kind: 'completed', paid: '1000' })
    expect(await money.changes()).toEqual({ requester: -2_001_000n, worker: 1_850_000n })
  })

  test('given a withdrawal, then it goes to the registered address alone', async () => {
    const [tool, safe] = [await aTool(), await environment.aWallet()]
    expect(await tool.run('wallet withdraw 1')).toMatchObject({ exit: 2 })
    expect(await tool.run(`wallet set-withdrawal-address ${safe.address} --yes`)).toMatchObject({ exit: 0 })
    expect(await tool.run(`wallet withdraw 1 --to ${tool.address}`)).toMatchObject({ exit: 4 })
    const money = await environment.chain.watch({ safe: safe.address })
    expect(await tool.json('wallet withdraw 1')).toMatchObject({ kind: 'completed' })
    expect(await money.changes()).toEqual({ safe: 1_000_000n })
  })

  test('given the policies, then only who names their digest accepts them, and the receipt is kept', async () => {
    const tool = await aTool()
    const { bundleDigest, documents } = await tool.json('legal show')
    expect(documents).toHaveLength(4)
    expect(await tool.json('legal status')).toMatchObject({ accepted: false })
    expect(await tool.run('legal accept')).toMatchObject({ exit: 2, out: '' })
    expect(await tool.run(`legal accept --bundle sha256:${'0'.repeat(64)}`)).toMatchObject({ exit: 2, out: '' })
    const asked: string[] = []
    const ask = (answer: string) => async (question: string) => {
      asked.push(question)
      return answer
    }
    expect(await tool.run('legal accept', { isTerminal: true, ask: ask('n') })).toMatchObject({ exit: 4 })
    const accepted = await tool.json(`legal accept --bundle ${bundleDigest}`)
    expect(accepted).not.toHaveProperty('receipt')
    expect(statSync(accepted.receiptFile).mode & 0o777).toBe(0o600)
    expect(await tool.json('legal status')).toMatchObject({ accepted: true })
    expect(await tool.run('legal accept', { isTerminal: true, ask: ask('y') })).toMatchObject({ exit: 0 })
    expect(asked).toHaveLength(2)
  })

  test('given a large file at a terminal, then its upload is counted to the end, and its bytes are delivered', async () => {
    const [requester, tool] = [await environment.aWallet(), await aTool()]
    const taskId = await environment.createTask(requester)
    const file = join(tool.directory, 'large.bin')
    const bytes = randomBytes(9 * 1024 * 1024)
    writeFileSync(file, bytes)
    const run = await tool.run(`task submit ${taskId} --file ${file} --yes --json`, { isTerminal: true })
    expect(run.exit, run.err).toBe(0)
    expect(run.err).toMatch(/uploading 1 of 1: 9437184 bytes, 5\d %.*, 100 %\n$/s)
    const { artifacts } = await tool.json(`task submissions ${taskId}`)
    const sha256Hash = createHash('sha256').update(bytes).digest('hex')
    expect(artifacts).toMatchObject([{ fileName: 'large.bin', sizeBytes: bytes.length, sha256Hash }])
  })

  test('given a device, then its token alone reads its key and ends it', async () => {
    const tool = await aTool()
    const { deviceId, apiToken, deviceEncryptionKey, verified } = await tool.json('devices register')
    expect(verified).toBe(true)
    expect(await tool.run(`devices status ${deviceId}`)).toMatchObject({ exit: 2 })
    const env = { TASK_MARKET_DEVICE_TOKEN: apiToken }
    const status = await tool.run(`devices status ${deviceId}`, { env })
    expect(JSON.parse(status.out)).toMatchObject({ active: true, walletAddress: expect.stringMatching(/^0x/) })
    const key = await tool.run(`devices key ${deviceId}`, { env })
    expect(JSON.parse(key.out)).toEqual({ deviceEncryptionKey })
    const wrong = await tool.run(`devices key ${deviceId}`, { env: { TASK_MARKET_DEVICE_TOKEN: '00' } })
    expect(wrong).toMatchObject({ exit: 4, out: '' })
    expect(await tool.run(`devices end ${deviceId}`, { env })).toMatchObject({ exit: 0 })
    expect(await tool.run(`devices key ${deviceId}`, { env })).toMatchObject({ exit: 4, out: '' })
  })

  test('given writes, then the journal lists them, and a key tells what became of one', async () => {
    const tool = await aTool()
    const { key, taskId } = await tool.json('task create --description Haiku --reward 2 --hours 24')
    expect(await tool.run('intents')).toMatchObject({ exit: 0, out: '' })
    expect(await tool.json('intents --all')).toMatchObject({ key, operation: 'createTask', state: 'completed', taskId })
    expect(await tool.json(`intents ${key}`)).toMatchObject({ status: 'completed', taskId })
    expect(await tool.json(`intents ${key} --settle`)).toMatchObject({ kind: 'completed', key, taskId })
    expect(await tool.run(`intents ${crypto.randomUUID()}`)).toMatchObject({ exit: 3 })
    expect(await tool.run(`intents ${crypto.randomUUID()} --settle`)).toMatchObject({ exit: 3 })
  })

  test('given a refusal of a hook and its ABI, then its error is named, by a node’s simulation and by the service', async () => {
    const [requester, tool] = [await environment.aWallet(), await aTool()]
    const hook = await deployExampleHook(environment.chain, 'AllowListHook', [requester.address, []])
    const taskId = await environment.createTask(requester, { hookContract: hook })
    const [abi, file] = [join(tool.directory, 'errors.json'), join(tool.directory, 'haiku.txt')]
    writeFileSync(abi, JSON.stringify(parseAbi(['error WorkerNotAllowed(address worker)'])))
    writeFileSync(file, 'Money waits in trust')
    const submit = `task submit ${taskId} --file ${file} --yes`
    const error = `WorkerNotAllowed(${tool.address})`
    const refused = async (line: string) => JSON.parse((await tool.run(line)).err.split('\n').at(-2) ?? '')

    expect(await refused(`${submit} --dry-run --abi ${abi}`)).toMatchObject({
      reason: 'would_revert',
      message: expect.stringMatching(new RegExp(`HookVetoed\\(.*, ${error.replace(/[()]/g, '\\$&')}\\)`, 'i')),
    })
    expect((await refused(`${submit} --abi ${abi}`)).message.toLowerCase()).toContain(
      `in checksubmit with ${error.toLowerCase()} (hookvetoed)`,
    )
    expect((await refused(submit)).message).toMatch(
      /in checkSubmit with 0x[0-9a-f]{8}, data 0x[0-9a-f]{72} \(HookVetoed\)/,
    )
  })

  test('given a keystore that `wallet new` made, then cast 1.7.1 has its address and its key', async () => {
    const cast = findFoundryBinary('cast')
    const castWallet = async (...args: string[]) => (await must(cast, ['wallet', ...args])).trim()
    expect(await must(cast, ['--version'])).toContain('1.7.1')
    const env = { TASK_MARKET_PRIVATE_KEY: '', TASK_MARKET_PASSWORD: 'correct horse' }
    const { address, keystore } = JSON.parse((await (await aTool()).run('wallet new', { env })).out)
    const place = [basename(keystore), '--keystore-dir', dirname(keystore)]
    const shown = await castWallet('decrypt-keystore', ...place, '--unsafe-password', 'correct horse')
    const key = /0x[0-9a-f]{64}/.exec(shown)?.[0] ?? ''
    expect(await castWallet('address', '--private-key', key)).toBe(address)
  })
})
