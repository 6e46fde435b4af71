import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { connect } from '../../../scripts/contracts/chain.ts'
import { executePlan } from '../../../scripts/contracts/deployment/execute.ts'
import { installStandIns } from '../../../scripts/contracts/local-chain.ts'
import { byDepth } from '../../support/depth.ts'
import {
  countSent,
  examplePlan,
  runCommand,
  setupWords,
  stop,
  stopAt,
  useDeployEnvironment,
} from './deploy-environment.ts'

const environment = useDeployEnvironment(({ anvil }) => installStandIns(anvil.url))
/** Transactions of a run until it is ended. */
const STEPS_OF_A_RUN = byDepth(9, 1)

/** Until the end of the test transactions wait to be mined. */
async function mineLater(): Promise<void> {
  const { request } = environment.anvil
  onTestFinished(async () => {
    await request('evm_setIntervalMining', [0])
    await request('evm_setAutomine', [true])
  })
  await request('evm_setAutomine', [false])
}

test('given a run that ends again and again, when it is run each time, then no transaction is sent twice', async () => {
  const plan = examplePlan()
  const client = await connect(environment.anvil.url, devAccount('deployer').privateKey)
  for (let sent = 0; sent < plan.steps.length; ) {
    const end = Math.min(sent + STEPS_OF_A_RUN, plan.steps.length)
    const say = (line: string) => {
      if (line.startsWith('sent')) sent += 1
      if (sent === end) throw stop
    }
    await expect(executePlan(client, plan, { say })).rejects.toThrow(stop)
    // The node answers before it mines, which the command waits for.
    await environment.anvil.request('evm_mine')
    expect(await countSent(environment)).toBe(end)
  }
  const last = await runCommand(environment, setupWords)
  expect(last.text).toContain('The deployment is complete')
  expect(await countSent(environment)).toBe(plan.steps.length)
})

test('given transactions that no block has, when the run is run again, then it waits for them and sends none twice', async () => {
  await mineLater()
  let sent = 0
  const say = (line: string) => {
    if (line.startsWith('sent')) sent += 1
    if (sent === 3) throw stop
  }
  await expect(runCommand(environment, setupWords, { say })).rejects.toThrow(stop)
  const again = await runCommand(environment, [], {
    say: (line) => {
      if (line.includes('not mined yet')) void environment.anvil.request('evm_setIntervalMining', [1])
    },
  })
  expect(again.text).toContain('3 transactions of')
  expect(await countSent(environment)).toBe(examplePlan().steps.length)
})

test('given transactions that pay too little to be mined, when they are replaced, then each nonce is used once', async () => {
  await mineLater()
  const words = [...setupWords, '--max-fee-gwei', '2', '--priority-fee-gwei', '0.001']
  await expect(runCommand(environment, words, { say: stopAt('sent') })).rejects.toThrow(stop)
  await runCommand(environment, ['--replace'], {
    say: (line) => {
      if (line.startsWith('sent')) void environment.anvil.request('evm_mine')
    },
  })
  expect(await countSent(environment)).toBe(examplePlan().steps.length)
})

test('given a dry run, then it sends and writes nothing, and its rehearsal uses the gas that the run uses', async () => {
  const block = await environment.client.getBlockNumber({ cacheTime: 0 })
  const file = `${environment.file}.dry`
  const dry = await runCommand({ ...environment, file }, [...setupWords, '--dry-run'])
  expect(await environment.client.getBlockNumber({ cacheTime: 0 })).toBe(block)
  expect(existsSync(file)).toBe(false)
  const rehearsed = toRows(dry.text).filter(({ source }) => source === 'r')
  expect(rehearsed.length).toBeGreaterThan(30)
  const ran = await runCommand({ ...environment, file }, setupWords)
  for (const { what, gas } of rehearsed)
    expect(ran.text).toMatch(new RegExp(`mined {2}${what}: block \\d+, ${gas} gas`))
})

test('given no setup, then a dry run says what it assumes, prints every step, and names what it does not do', async () => {
  const dry = await runCommand({ ...environment, file: `${environment.file}.none` }, ['--dry-run'], { env: {} })
  expect(dry.text).toMatch(/deployer +0x1{40} +\(assumed: not given\)/)
  expect(dry.text).toContain('balance not known: the deployer is assumed')
  // Without a programme and a guardian.
  expect(toRows(dry.text)).toHaveLength(examplePlan().steps.filter(({ what }) => !isOptional(what)).length)
  for (const omission of ['accept the forwarder', 'register the service', 'give relayers ETH', 'publish the sources']) {
    expect(dry.text).toContain(omission)
  }
})

test('given a chain that charges for data, then the dry run adds what its oracle names to the cost', async () => {
  const oracle = '0x420000000000000000000000000000000000000F'
  const words = [...setupWords, '--dry-run', '--max-fee-gwei', '3', '--priority-fee-gwei', '1']
  const without = await runCommand(environment, words)
  // Answers 10^15, a thousandth of an ETH, to every call.
  await environment.anvil.request('anvil_setCode', [oracle, '0x66038d7ea4c680005f5260205ff3'])
  const withFee = await runCommand(environment, words)
  expect(withFee.text).toContain('with the data fee')
  const difference = readCost(withFee.text) - readCost(without.text)
  expect(difference).toBeCloseTo(0.001 * examplePlan().steps.length, 5)
})

function toRows(text: string): { what: string; gas: string; source: string }[] {
  return [...text.matchAll(/^ +\d+ (.+?) \| to .* (\d+) gas \((n|r)\), [\d.]+ ETH$/gm)].map(
    ([, what, gas, source]) => ({
      what: String(what),
      gas: String(gas),
      source: String(source),
    }),
  )
}

function isOptional(what: string): boolean {
  return /bonus|BonusLib|BonusHook|LocalRewardToken|guardian|relayer/i.test(what)
}

function readCost(text: string): number {
  return Number(/^cost +([\d.]+) ETH/m.exec(text)?.[1])
}
