/**
 * `npm run bench -- polling`: processor time of the service for clients that poll a task with entity tags, by that for clients
 * without. Linux only. Prints the figure and keeps it in docs/internals/benchmarks/figures.json.
 *
 *   --quick             two rounds, nothing written
 */

import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { readOptions } from '../../ops/process/read-options.ts'
import { mintLocalUsdc } from '../../scripts/contracts/deploy.ts'
import { listOwnProcesses } from '../../scripts/stack/process-cpu.ts'
import { aKey, createPayingClient } from '../support/paying-client.ts'
import { beginBenchmark, tellFigures } from './figures/benchmark.ts'
import { counted } from './figures/figures.ts'
import { comparePolling } from './polling/compare-polling.ts'
import { apiEnvironment, startBenchStack } from './writes/bench-stack.ts'

const { values } = readOptions({ options: { quick: { type: 'boolean', default: false } } })
const rounds = values.quick ? 2 : 15
const REWARD = 1_000_000n

await beginBenchmark()
const stack = await startBenchStack('')
const readCpu = () => {
  const service = listOwnProcesses().find(({ command }) => /(^| |\/)api\/main\.ts|scripts\/api\.ts/.test(command))
  if (service === undefined) throw new Error('the service has no process')
  return service.seconds
}
try {
  const requester = privateKeyToAccount(generatePrivateKey())
  await mintLocalUsdc(stack.anvil.url, requester.address, 2n * REWARD)
  const client = createPayingClient({ baseUrl: stack.baseUrl(), account: requester })
  const aTask = { description: 'Polled', reward: String(REWARD), duration: 24, tags: ['push'] }
  const { status, body } = await client.pay({ path: '/tasks', key: aKey(), body: aTask })
  if (status !== 200) throw new Error(`no task: ${status} ${JSON.stringify(body)}`)
  const url = new URL(`/api/tasks/${body.taskId}`, stack.baseUrl()).href
  const mine = async () => void (await stack.anvil.request('evm_mine'))
  const polling = await comparePolling({ url, rounds, mine, readCpu })
  console.log(
    `ten clients that poll a task for eight seconds: ${polling.without.toFixed(2)} s without tags, ` +
      `${polling.withTags.toFixed(2)} s with, ${polling.idle.toFixed(2)} s of the service without them`,
  )
  const figures = [
    counted(
      'ten clients that poll a task each second, blocks every 2 s: processor time with tags, of one without',
      (polling.withTags - polling.idle) / (polling.without - polling.idle),
      { most: 0.2 },
    ),
  ]
  tellFigures('polling', figures, { isQuick: values.quick, rounds, api: apiEnvironment, postgres: stack.postgres })
} finally {
  await stack.stop()
}
