import { createHash, randomBytes } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { runTool, wordsOf } from '../support/client/silent-io.ts'
import { aWalletDirectory } from '../support/client/wallets.ts'
import { openEnvironment, startingBalance } from '../support/conformance.ts'

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

  test('given a write above the limit, then nothing is sent, and --yes changes nothing', async () => {
    const tool = await aTool()
    const line = 'task create --description Big --reward 6 --hours 24 --yes'
    const run = await tool.run(line)
    expect(run).toMatchObject({ exit: 5, out: '' })
    // A warning about the wallet's key may come before it.
    expect(JSON.parse(run.err.trim().split('\n').at(-1) ?? '')).toMatchObject({ reason: 'limit_exceeded' })
    expect(await tool.run('wallet limits --per-call 10')).toMatchObject({ exit: 0 })
    expect(await tool.run(`${line} --max-spend 5`)).toMatchObject({ exit: 5 })
    expect(await tool.run(line)).toMatchObject({ exit: 0 })
  })

  test('given a dry run, then it says the price and moves nothing', async () => {
    const tool = await aTool()
    const money = await environment.chain.watch({ requester: tool.address })
    expect(await tool.json('task create --description Haiku --reward 2 --hours 24 --dry-run')).toMatchObject({
      kind: 'preview',
      price: '2000000',
    })
    expect(await money.changes()).toEqual({ requester: 0n })
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

  test('given a person at a terminal, then work is shown with what to type, and ids in lists are cut', async () => {
    const [tool, worker] = [await aTool(), await environment.aWallet()]
    const { taskId } = await tool.json('task create --description Haiku --reward 2 --hours 24 --tag haiku')
    await environment.submit(worker, taskId)
    const shown = await tool.run('actions', { isTerminal: true, width: 80 })
    expect(shown.out).toContain('Haiku (open, 2.00 USDC, as requester')
    expect(shown.out).toContain(`  task-market task accept ${taskId} --worker`)
    expect((await tool.run('inbox', { isTerminal: true, width: 80 })).out).toContain(
      `${taskId.slice(0, 6)}…${taskId.slice(-4)}`,
    )
    const submissions = await tool.run(`task submissions ${taskId}`)
    expect(JSON.parse(submissions.out)).toMatchObject({ taskId, workerAddress: expect.stringMatching(/^0x/) })
    expect((await tool.run('vault list')).exit).toBe(0)
    expect((await tool.run('agents list --limit 1')).exit).toBe(0)
  })

  test('given its reads, its mistakes and its doctor, then each ends in its exit code', async () => {
    const tool = await aTool()
    const unknown = `0x${'99'.repeat(32)}`
    expect(await tool.run('wallet balance')).toMatchObject({ exit: 0, out: expect.stringContaining('100000000') })
    expect(await tool.run(`task get ${unknown}`)).toMatchObject({ exit: 3 })
    expect(await tool.run(`task cancel ${unknown}`)).toMatchObject({ exit: 3 })
    expect(await tool.run('task dance')).toMatchObject({ exit: 2 })
    expect(await tool.run('task accept')).toMatchObject({ exit: 2 })
    expect((await tool.run('task list --limit 2')).out.trim().split('\n').length).toBeLessThanOrEqual(2)
    expect(await tool.run('inbox')).toMatchObject({ exit: 0 })
    const doctor = await tool.run('doctor')
    expect(doctor.out).not.toContain(inject('conformanceStack').rpcUrl)
    expect(doctor.out).toContain('"check":"limits","ok":true')
    const away = await tool.run('task list --url http://127.0.0.1:9')
    expect(away.exit).toBe(7)
  })
})
