import { writeFileSync } from 'node:fs'
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
  const run = (line: string) => runTool(wordsOf(line), { env })
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
    const accept = (await asRequester.json('actions')).items[0].actions.find(
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
    expect(JSON.parse(run.err)).toMatchObject({ reason: 'limit_exceeded' })
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
    expect(await tool.run(`wallet set-withdrawal-address ${safe.address}`)).toMatchObject({ exit: 0 })
    expect(await tool.run(`wallet withdraw 1 --to ${tool.address}`)).toMatchObject({ exit: 4 })
    const money = await environment.chain.watch({ safe: safe.address })
    expect(await tool.json('wallet withdraw 1')).toMatchObject({ kind: 'completed' })
    expect(await money.changes()).toEqual({ safe: 1_000_000n })
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
